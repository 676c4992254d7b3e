# Finds the libraries that programs of notebooks link besides LibTorch and fmt. torchbook's own build includes this file,
# and find_package(torchbook COMPONENTS notebook) does: torchbook_find is what finds a package there.
torchbook_find(absl)          # kinds of characters
torchbook_find(pugixml 1.11)  # the junit report
