"""Runs cells, and finds the tensors of ids that they made from words by words.py: those, and no others."""
import pathlib
import unittest

import torch

SOURCE = pathlib.Path(__file__).resolve().parents[3] / "src/tools/import/command/words.py"
FIRST = '''import torch
sentence = "the cat sat on the mat"
vocab = sorted(set(sentence.split()))
stoi = {word: i for i, word in enumerate(vocab)}
'''
WORDS = ["cat", "mat", "on", "sat", "the"]


def found(*cells):
    """Returns what each cell made, as (name, words)."""
    tool = {}
    exec(compile(SOURCE.read_text(encoding="utf-8"), str(SOURCE), "exec"), tool)
    words, names, all_found = tool["Words"](torch), {"__name__": "__main__"}, []
    for cell in (FIRST, *cells):
        exec(cell, names)
        all_found += words.of(cell, names)
    return all_found


class WordsTest(unittest.TestCase):
    def test_of_ids_made_by_a_dict_a_list_or_a_function(self):
        for cell in ("ids = torch.tensor([stoi[word] for word in sentence.split()])",
                     "ids = torch.LongTensor([vocab.index(word) for word in sentence.split()])",
                     "def encode(text):\n    return [stoi[word] for word in text.split()]\nids = torch.tensor([encode(sentence)])",
                     "encode = lambda text: torch.tensor([stoi[word] for word in text.split()])\nids = encode('the mat')",
                     "itos = dict(enumerate(vocab))\nback = {word: i for i, word in itos.items()}\nids = torch.tensor(back['on']).view(1)"):
            self.assertEqual(found(cell), [["ids", WORDS]], cell)

    def test_of_ids_made_from_a_list_of_a_cell_above(self):
        self.assertEqual(found("tokens = [stoi[word] for word in sentence.split()]", "ids = torch.tensor(tokens)"), [["ids", WORDS]])

    def test_of_ids_of_an_object(self):
        cell = """class Tokenizer:
    def __init__(self, vocab):
        self.ids = vocab
    def encode(self, text):
        return [self.ids[word] for word in text.split()]
tokenizer = Tokenizer(stoi)
ids = torch.tensor(tokenizer.encode(sentence))
"""
        self.assertEqual(found(cell), [["ids", WORDS]])

    def test_characters_that_no_name_has_are_written_by_others(self):
        cell = """letters = sorted(set("a, b" + chr(10)))
index = {letter: i for i, letter in enumerate(letters)}
ids = torch.tensor([index[letter] for letter in "a, b"])
"""
        self.assertEqual(found(cell), [["ids", ["⏎", "␣", "，", "a", "b"]]])

    def test_other_tensors_have_no_words(self):
        tokens = "tokens = [stoi[word] for word in sentence.split()]\n"
        for cell in (tokens + "positions = torch.arange(len(tokens))",
                     tokens + "count = torch.tensor([len(tokens)])",
                     "x = torch.tensor([1, 2])", "x = torch.tensor([stoi[word] for word in vocab]).float()",
                     "x = torch.tensor([[0.5], [0.25]])", "x = torch.tensor([stoi[word] + 9 for word in vocab])",
                     "two = {'a': 0, 'b': 1}\nx = torch.tensor([stoi['on'], two['a']])", "x = torch.tensor(stoi['on'])",
                     "twice = {'a': 0, 'b': 0}\nx = torch.tensor([twice['a']])"):
            self.assertEqual(found(cell), [], cell)


if __name__ == "__main__":
    unittest.main()
