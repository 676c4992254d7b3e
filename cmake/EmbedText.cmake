# Makes a source that defines the string NAME from a text file. The build runs it. Without the file, the string is
# empty.
set(TEXT "")
if(EXISTS "${TEXT_FILE}")
  file(READ "${TEXT_FILE}" TEXT)
endif()
string(FIND "${TEXT}" ")torchbook\"" delimiter)
if(NOT delimiter EQUAL -1)
  message(FATAL_ERROR "${TEXT_FILE} contains )torchbook\", which would end the literal that embeds it; remove it")
endif()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
