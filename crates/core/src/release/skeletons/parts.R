
say <- function(...) cat(jsonlite::toJSON(list(...), auto_unbox = TRUE, digits = NA), "\n", sep = "")

# Says why there is no release, and ends.
refuse <- function(...) {
  say(refuse = paste0(...))
  quit(status = 0)
}

# CSV with quotes around every text, so that nothing in it is taken for more than text.
write_csv <- function(columns, directory, name) {
  quoted <- lapply(columns, function(column) {
    if (is.character(column)) paste0("\"", gsub("\"", "\"\"", column, fixed = TRUE), "\"") else format(column, scientific = FALSE, trim = TRUE)
  })
  header <- paste0("\"", gsub("\"", "\"\"", names(columns), fixed = TRUE), "\"", collapse = ",")
  lines <- if (length(columns[[1]]) > 0) do.call(paste, c(unname(quoted), sep = ",")) else character()
  file <- file(file.path(directory, name), open = "wb")
  writeLines(enc2utf8(c(header, lines)), file, useBytes = TRUE)
  close(file)
}

main()
