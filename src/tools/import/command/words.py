"""Finds tensors of ids that a notebook made from words. Precedes carry.py in the same text.

A vocabulary is a dict of strs to the ints from 0 on, a dict of these ints to strs, or a list of different strs. Ids are made
from words if the statement that assigns them calls torch.tensor, and reads a vocabulary or a list of ints made with one, itself
or in a function that it calls. len() of such a list says nothing of words.
"""
import ast
import types

MOST_WORDS = 512  # of a vocabulary
MOST_IDS = 65536  # of a tensor
MAKING = {"tensor", "LongTensor", "as_tensor"}
SHOWN = str.maketrans({" ": "␣", "\n": "⏎", "\t": "⇥", ",": "，"})  # what stands for characters that the name of an entry may not have


def vocabulary_of(value):
    """Returns the words of a vocabulary in the order of their ids, or None."""
    if type(value) is dict and value and {type(key) for key in value} == {int}:
        value = [value[i] for i in range(len(value))] if set(value) == set(range(len(value))) else []
    elif type(value) is dict and set(map(type, value.values())) == {int} and sorted(value.values()) == list(range(len(value))):
        value = sorted(value, key=value.get)
    if type(value) is not list or not 2 <= len(value) <= MOST_WORDS or {type(word) for word in value} != {str}:
        return None
    words = [word.translate(SHOWN) for word in value]
    good = all(word.isprintable() and 0 < len(word.encode()) <= 64 for word in words)
    return words if good and len(set(words)) == len(words) else None


def names_in(code):
    """Returns the names in the code of a function, and of functions inside of it."""
    inside = (names_in(each) for each in code.co_consts if isinstance(each, types.CodeType))
    return set(code.co_names).union(code.co_freevars, *inside)


class Words:
    def __init__(self, torch):
        self.torch = torch
        self.of_lists = {}  # by the name of a list of ints: the vocabulary with which it was made

    def of(self, source, names):
        """Returns [[name, words], ...] of the tensors of ids that a cell assigned."""
        try:
            tree = ast.parse(source)
        except SyntaxError:
            return []
        found = {}
        for node in ast.walk(tree):
            if not isinstance(node, ast.Assign) or len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
                continue
            name = node.targets[0].id
            read = self.read(node.value, names)
            words = self.vocabulary(read, names)
            value = names.get(name)
            if type(value) is list and words and value and {type(each) for each in value} == {int}:
                self.of_lists[name] = words
            found[name] = words if words and read & MAKING and self.are_ids(value, len(words)) else None
        return [[name, words] for name, words in found.items() if words]

    def are_ids(self, value, count):
        good = type(value) is self.torch.Tensor and value.dtype == self.torch.int64 and 0 < value.numel() <= MOST_IDS
        return good and value.dim() > 0 and 0 <= value.min() and value.max() < count

    def read(self, node, names):
        """Returns the names that an expression reads, also in functions and objects of the notebook."""
        read, left = set(), [node]
        while left:
            each = left.pop()
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == "len":
                continue
            read |= {each.id} if isinstance(each, ast.Name) else {each.attr} if isinstance(each, ast.Attribute) else set()
            left += ast.iter_child_nodes(each)
        seen = set()
        while read - seen:
            name = (read - seen).pop()
            seen.add(name)
            function = names.get(name)
            if isinstance(function, types.FunctionType):
                read |= names_in(function.__code__)
        return read

    def vocabulary(self, read, names):
        """Returns the words with which one of these names has ids; None if there are none, or two."""
        objects = [value for name in read if type(value := names.get(name)).__module__ == "__main__"]
        values = [names.get(name) for name in read]
        values += [part for each in objects for part in getattr(each, "__dict__", {}).values()]
        dicts = [value for value in values if type(value) is dict]
        found = {tuple(words) for value in dicts if (words := vocabulary_of(value))}
        found = found or {tuple(words) for value in values if (words := vocabulary_of(value))}
        found |= {tuple(self.of_lists[name]) for name in read if name in self.of_lists}
        return list(found.pop()) if len(found) == 1 else None
