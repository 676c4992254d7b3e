# Run by the build: makes of a text file a source that defines the string NAME.
file(READ "${TEXT_FILE}" TEXT)
string(FIND "${TEXT}" ")torchbook\"" delimiter)
if(NOT delimiter EQUAL -1)
  message(FATAL_ERROR "${TEXT_FILE} holds )torchbook\", which ends the literal that it is embedded in")
endif()
configure_file("${TEMPLATE}" "${OUTPUT}" @ONLY)
