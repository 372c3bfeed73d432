#!/usr/bin/env Rscript
# @NAME@: a publisher of generalized tables. Needs base R and the package jsonlite.
#
# It gets one JSON object on standard input and leaves table.csv in the output directory: the rows in their order, with
# generalized quasi-identifiers. docs/external-algorithms.md is the protocol, docs/generalized-tables.md says what a cell
# may be; `anonlab algorithms check --release generalized-table --command Rscript @NAME@.R` tests it.

version <- "@NAME@ 0.1"

# Gives each row its class: a number for each row of `table`, a data frame of texts whose last column is sensitive.
# `quasi_identifiers` says of each its name and kind ("numeric" or "categorical").
#
# REPLACE THIS with your idea. As it is: rows sorted by their quasi-identifiers, k at a time.
publish <- function(table, quasi_identifiers, parameters) {
  k <- parameters$k
  rows <- nrow(table)
  if (rows < k) refuse("k is ", k, ", and there are ", rows, " rows")
  # Numbers first, by size; then everything else, by text. The radix method sorts the same way in every locale.
  keys <- lapply(unname(as.list(table[-ncol(table)])), function(column) list(numbers(column), column))
  order <- do.call(order, c(unlist(keys, recursive = FALSE), list(method = "radix")))
  blocks <- rows %/% k
  class_of <- integer(rows)
  # Those left over go to the last block.
  class_of[order] <- pmin((seq_len(rows) - 1) %/% k, blocks - 1)
  # A counter is a fact of the computation. What the release is worth is for the lab to say.
  say(counter = "blocks", value = blocks)
  class_of
}

# The numbers that texts stand for; NA for any other text.
numbers <- function(texts) suppressWarnings(as.numeric(texts))

# One cell that covers all of `cells`: the value, an interval of numbers, or a set of values.
generalize <- function(cells, kind) {
  values <- sort(unique(cells), method = "radix")
  if (length(values) == 1) return(values)
  sizes <- numbers(values)
  if (kind == "numeric" && all(is.finite(sizes))) {
    return(paste0("[", values[which.min(sizes)], ",", values[which.max(sizes)], "]"))
  }
  # A semicolon that belongs to a value is written with a backslash before it.
  escaped <- gsub(";", "\\;", gsub("\\", "\\\\", values, fixed = TRUE), fixed = TRUE)
  paste0("{", paste(escaped, collapse = ";"), "}")
}

main <- function() {
  if ("--version" %in% commandArgs(trailingOnly = TRUE)) {
    cat(version, "\n", sep = "")
    return(invisible())
  }
  request <- jsonlite::fromJSON(paste(readLines(file("stdin"), warn = FALSE), collapse = "\n"))
  table <- read.csv(request$input$table, colClasses = "character", na.strings = character(), check.names = FALSE,
                    strip.white = FALSE, encoding = "UTF-8", quote = "\"", comment.char = "")
  roles <- request$input$quasi_identifiers
  start <- proc.time()[["elapsed"]]
  class_of <- publish(table, roles, request$parameters)
  # Rows stay in their place. A row that fits in nowhere may become "*" in every column: that suppresses it.
  released <- as.list(table)
  for (column in seq_len(nrow(roles))) {
    cells <- tapply(table[[column]], class_of, generalize, kind = roles$kind[column])
    released[[column]] <- as.vector(cells[as.character(class_of)])
  }
  say(phase = "generalizing", seconds = proc.time()[["elapsed"]] - start)
  write_csv(released, request$output, "table.csv")
}
