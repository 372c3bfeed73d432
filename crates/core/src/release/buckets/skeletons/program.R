#!/usr/bin/env Rscript
# @NAME@: a publisher of buckets. Needs base R and the package jsonlite.
#
# It gets one JSON object on standard input and leaves two files in the output directory: which group each row is in,
# and which sensitive values each group has. docs/external-algorithms.md is the protocol;
# `anonlab algorithms check --release buckets --command Rscript @NAME@.R` tests it.

version <- "@NAME@ 0.1"

# Gives each row its group: a number for each row of `table`, a data frame of texts whose last column is sensitive.
#
# REPLACE THIS with your idea. As it is: rows sorted by sensitive value are dealt out like cards, so that no group gets a
# value twice.
publish <- function(table, quasi_identifiers, parameters) {
  l <- parameters$l
  sensitive <- table[[ncol(table)]]
  most <- max(table(sensitive))
  if (most * l > length(sensitive)) {
    refuse("not ", l, "-eligible: a value is in ", most, " of ", length(sensitive), " rows, more than 1 in ", l)
  }
  shuffled <- sample.int(length(sensitive))
  # The radix method sorts the same way in every locale.
  order <- shuffled[order(sensitive[shuffled], method = "radix")]
  groups <- length(sensitive) %/% l
  group_of <- integer(length(sensitive))
  group_of[order] <- (seq_along(order) - 1) %% groups
  # A counter is a fact of the computation. What the release is worth is for the lab to say.
  say(counter = "groups", value = groups)
  group_of
}

main <- function() {
  if ("--version" %in% commandArgs(trailingOnly = TRUE)) {
    cat(version, "\n", sep = "")
    return(invisible())
  }
  request <- jsonlite::fromJSON(paste(readLines(file("stdin"), warn = FALSE), collapse = "\n"))
  table <- read.csv(request$input$table, colClasses = "character", na.strings = character(), check.names = FALSE,
                    strip.white = FALSE, encoding = "UTF-8", quote = "\"", comment.char = "")
  # R's generator takes seeds of 31 bits.
  set.seed(request$seed %% 2147483647)
  start <- proc.time()[["elapsed"]]
  group_of <- publish(table, request$input$quasi_identifiers, request$parameters)
  say(phase = "grouping", seconds = proc.time()[["elapsed"]] - start)
  last <- ncol(table)
  write_csv(c(as.list(table[-last]), list(group_id = group_of)), request$output, "qit.csv")
  pairs <- split(table[[last]], group_of)
  counts <- lapply(pairs, function(values) tapply(values, values, length))
  sensitive <- list(
    group_id = rep(as.numeric(names(counts)), lengths(counts)),
    value = unlist(lapply(counts, names), use.names = FALSE),
    count = unlist(lapply(counts, as.vector), use.names = FALSE)
  )
  names(sensitive)[2] <- names(table)[last]
  write_csv(sensitive, request$output, "st.csv")
}
