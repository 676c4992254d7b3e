"""Defines what random programs are made of.

A rule is Python with holes: `<int>` is replaced by an expression of that kind, `<new int>` by a name that holds an int from
there on, `<set int>` by such a name that may be one already. A tensor has three elements in each dimension, so that
shapes fit.
"""

NAMES = "a b c d e g h k m n p q r s t u v w x y z total count best item row word words seen".split()

LITERALS = {
    "int": ["0", "1", "2", "3", "-1", "7", "10", "-4"],
    "small": ["1", "2", "3"],
    "index": ["0", "1", "2", "-1", "-3"],
    "float": ["0.5", "1.0", "-2.25", "3.0", "0.1", "1e-3", "100.0"],
    "bool": ["True", "False"],
    "str": ["'ab'", "'Hello'", "'a b c'", "'x-y'", "''", '"it\'s"'],
    "ints": ["[1, 2, 3]", "[3, 1, 2]", "[0, -1, 5]", "[4, 4, 2]"],
    "floats": ["[0.5, 1.5, -1.0]", "[2.0, 0.25, 3.0]"],
    "strs": ["['a', 'bc', 'd']", "['x', 'y', 'x']"],
    "rows": ["[[1, 2], [3, 4]]", "[[5], [6, 7], [8]]"],
    "dict": ["{'a': 1, 'b': 2}", "{'x': 3, 'y': 0, 'z': -1}"],
    "pair": ["(1, 2)", "(3, -1)"],
    "vec": ["torch.tensor([1.0, 2.0, 3.0])", "torch.tensor([-0.5, 0.25, 4.0])", "torch.ones(3)", "torch.linspace(0, 1, 3)"],
    "mat": ["torch.arange(9.0).view(3, 3)", "torch.eye(3)", "torch.full((3, 3), 0.5)", "torch.tensor([[1.0, 2, 3], [4, 5, 6], [7, 8, 10]])"],
    "ivec": ["torch.tensor([1, 2, 3])", "torch.tensor([-3, 0, 5])", "torch.arange(3)", "torch.arange(1, 7, 2)"],
    "bvec": ["torch.tensor([True, False, True])"],
    "object": ["Counter(1)", "Counter(3)"],
    "leaf": ["torch.tensor([0.5, -1.25, 2.0], requires_grad=True)"],
    "grad": ["torch.tensor([0.1, 0.7, -3.0], requires_grad=True)"],
    "net": ["nn.Linear(3, 3)"],
    "loader": ["DataLoader(TensorDataset(torch.eye(3), torch.arange(3.0)), batch_size=2)"],
    "dtype": ["torch.float64", "torch.int64", "torch.float32", "torch.bool"],
    "number": ["max(1, 2.5)", "min(2, 0.5)", "sum([1, 0.5])"],
    "numbers": ["[1, 2.5, -3]", "[0.5, 2, 7.0]"],
    "spec": [":.2f", ":8.3f", ":+.1e", "", "!r", ":>9.2f"],
    "ispec": ["", ":d", ":5d", ":<4", ":03d", ":,", ":x", ":.1f"],
    "sspec": ["", ":>6", ":<6", ":^7", "!r", ":*^9"],
}

EXPRESSIONS = {
    "int": [
        "<int> + <int>", "<int> - <int>", "<int> * <int>", "<int> // <small>", "<int> % <small>", "<int> // -<small>",
        "<int> % -<small>", "-<int>", "abs(<int>)", "min(<int>, <int>)", "max(<int>, <int>)", "len(<ints>)", "len(<str>)",
        "len(<dict>)", "sum(<ints>)", "<ints>[<index>]", "int(<float>)", "round(<float>)", "<int> if <bool> else <int>",
        "max(<ints>)", "min(<ints>)", "<ints>.index(<ints>[0])", "<ints>.count(<int>)", "<str>.count('a')", "<str>.find('b')",
        "<pair>[0]", "<pair>[-1]", "len(<vec>)", "<mat>.size(0)", "<mat>.shape[1]", "<ivec>.sum().item()", "<ivec>[<index>].item()",
        "<vec>.argmax().item()", "<bvec>.sum().item()", "<mat>.numel()", "<mat>.dim()", "<small> ** 2", "<int> & 3", "<int> | 4",
        "<int> ^ 1", "<small> << 2", "<int> >> 1", "~<int>", "len(<strs>)", "len(<rows>)", "<rows>[0][0]", "sum([<int>, <int>])", "True + <int>",
        "int(<bool>)", "<dict>['<key>']" , "<dict>.get('a', <int>)", "sum(v for v in <ints>)", "sum(1 for v in <ints> if v > <int>)",
        "ord('a')", "divmod(<int>, <small>)[0]", "int('12')", "(<int>, <int>)[0]", "(<vec> > <float>).sum().item()",
        "<object>.n", "<object>.bump()", "<object>.bump() - <object>.n", "<object>.n * <object>.bump()", "len(<object>)", "<object>[<zero>]",
        "len(<object>.items)", "<object>.bump() if <bool> else <object>.n", "torch.randint(0, 9, (1,)).item()", "torch.randint(0, 3, (1,)).item() - torch.randint(0, 9, (1,)).item()", "<ints>.pop()", "<ints>.pop() + len(<ints>)", "<object>.less()", "<ints>[-<small>]",
    ],
    "float": [
        "<float> + <float>", "<float> - <float>", "<float> * <float>", "<int> / <small>", "<float> / <small>", "<float> + <int>",
        "<int> * <float>", "-<float>", "abs(<float>)", "<float> // <small>", "<float> % <small>", "<float> ** 2", "<small> ** 0.5",
        "<small> ** -1", "min(<float>, <float>)", "max(<floats>)", "sum(<floats>)", "<floats>[<index>]", "float(<int>)",
        "round(<float>, 2)", "math.sqrt(<small>)", "math.exp(<small>)", "math.floor(<float>) + 0.5", "<float> if <bool> else <float>",
        "<vec>.sum().item()", "<vec>[<index>].item()", "<vec>.mean().item()", "math.pi * <int>", "float('2.5')", "sum(<floats>) / len(<floats>)",
        "math.log(<small>)", "<mat>[0, 1].item()", "1 / <small>", "math.sin(<float>)",
        "<vec>.add_(1).sum().item()", "<vec>.sum().item() + <vec>.mul_(2).sum().item()",
    ],
    "bool": [
        "<int> < <int>", "<int> == <int>", "<float> >= <float>", "<int> != <int>", "not <bool>", "<bool> and <bool>",
        "<bool> or <bool>", "<int> in <ints>", "<int> not in <ints>", "'a' in <str>", "<str> == <str>", "<str> < <str>", "<ints> == <ints>",
        "0 < <int> < 5", "any(v > 1 for v in <ints>)", "all([v < 5 for v in <ints>])", "'a' in <dict>", "<str>.startswith('a')",
        "isinstance(<ints>, list)", "torch.equal(<vec>, <vec>)", "torch.allclose(<vec>, <vec>)", "(<vec> > 0).all().item()", "(<vec> > 0).any().item()",
        "bool(<int>)", "<object>.bump() > <int> or <object>.n < 30", "<object>.n > 5 and <object>.bump() > <object>.less()", "<pair> == <pair>", "<bool> == <bool>", "<int> < <float>", "<str>.isdigit()", "bool(<ints>)", "<str> in <strs>",
    ],
    "str": [
        "<str> + <str>", "<str> * <small>", "<str>.upper()", "<str>.lower()", "<str>.strip()", "<str>.replace('a', 'o')", "<str>[:2]",
        "<str>[::-1]", "<str>[1:]", "str(<int>)", "str(<float>)", "'-'.join(<strs>)", "f'{<int><ispec>}'", "f'{<float><spec>}|'", "f'{<str><sspec>}|'",
        "f'{<int>} and {<float><spec>}'", "<strs>[<index>]", "<str>.title()", "<str>.capitalize()", "str(<bool>)", "str(<ints>)", "'%d %s' % (<int>, <str>)", "'{} {:.2f}'.format(<int>, <float>)",
        "f'{<ints>} {<pair>}'", "repr(<str>)", "f'{<vec>}'", "f'{<vec>.sum()<spec>}'", "f'{<dict>}'", "f'{<bool>}'", "''.join([str(v) for v in <ints>])", "<str> if <bool> else <str>",
    ],
    "ints": [
        "<ints> + <ints>", "<ints> * 2", "<ints>[1:]", "<ints>[::-1]", "<ints>[-2:]", "sorted(<ints>)", "sorted(<ints>, reverse=True)",
        "list(reversed(<ints>))", "[v * 2 for v in <ints>]", "[v for v in <ints> if v > 0] + [0]", "list(range(<small>, 6))", "[<int>, <int>, <int>]",
        "[v + i for i, v in enumerate(<ints>)]", "[u * v for u, v in zip(<ints>, <ints>)]", "list(range(5, 0, -2))", "<ivec>.tolist()",
        "[len(each) for each in <strs>]", "[v % 3 for v in range(4)]", "list(<dict>.values())", "[*<ints>]", "sorted(<ints>, key=lambda v: -v)", "[v if v > 1 else 0 for v in <ints>]",
        "[v for each in <rows> for v in each]", "list(map(int, <floats>))", "list(<mat>.shape)", "<ints>[:1] + [<int>]", "sorted(set(<ints>))", "<rows>[<zero>]",
    ],
    "floats": ["[v / 2 for v in <ints>]", "[v * 0.5 for v in <floats>]", "<floats>[:2] + [<float>]", "<vec>.tolist()", "sorted(<floats>)", "[<float>, <float>]",
               "[float(v) for v in <ints>]", "[math.sqrt(v * v) for v in <floats>]", "[round(v, 1) for v in <floats>]", "[each.item() for each in <vec>]"],
    "strs": ["<strs> + [<str>]", "sorted(<strs>)", "<str>.split()", "'a,b'.split(',')", "[v.upper() for v in <strs>]", "[str(v) for v in <ints>]", "list('abc')", "list(<dict>)", "list(<dict>.keys())",
             "[f'{i}:{v}' for i, v in enumerate(<strs>)]", "<strs>[:2]", "[v for v in <str> + 'q']"],
    "rows": ["[<ints>, <ints>]", "[[i * j for j in range(2)] for i in range(3)]", "[[v, v + 1] for v in <ints>]", "<rows> + [[<int>]]", "[each[::-1] for each in <rows>]", "[[0] * 2 for _ in range(2)]"],
    "dict": ["{'a': <int>, 'b': <int>}", "{key: len(key) for key in <strs>}", "dict(a=<int>, b=<int>)", "{v: i for i, v in enumerate(['a', 'b'])}"],
    "pair": ["(<int>, <int>)", "divmod(<int>, <small>)", "(<pair>[1], <pair>[0])"],
    "vec": [
        "<vec> + <vec>", "<vec> * <float>", "<vec> - <int>", "<int> - <vec>", "<vec> / <vec>.abs().max()", "<mat> @ <vec>", "<mat>.sum(dim=<zero>)", "<mat>.mean(1)",
        "<mat>[<index>]", "<mat>[:, <index>]", "-<vec>", "<vec>.abs()", "<vec> ** 2", "<vec>.exp()", "torch.softmax(<vec>, dim=0)", "F.softmax(<vec>, dim=-1)",
        "torch.relu(<vec>)", "<vec>.clamp(0, 1)", "<vec>.cumsum(0)", "torch.sort(<vec>)[0]", "<vec>.flip(0)", "<mat>.max(dim=1).values", "<mat>.diag()", "<ivec>.float()", "<ivec> / 2",
        "torch.where(<bvec>, <vec>, <vec>)", "torch.stack([<vec>, <vec>]).sum(0)", "torch.cat([<vec>[:1], <vec>[1:]])", "<vec>[[2, 0, 1]]", "<vec>[<ivec>.abs() % 3]", "torch.tensor(<floats>[:1] * 3)",
        "<vec>.clone()", "<vec> // 2", "<vec> % 2", "2 ** <vec>", "torch.maximum(<vec>, <vec>)", "<mat>.std(0)", "<vec>.masked_fill(<bvec>, 0)", "torch.sigmoid(<vec>)", "<vec>.view(3, 1).squeeze(1)", "<vec>.round()",
        "torch.zeros_like(<vec>)", "torch.tensor([<float>, <float>, <float>])", "<vec>.to(torch.float32)", "<ivec> * 0.5", "<vec> + <ivec>", "<vec> * <bvec>", "torch.topk(<vec>, 3).values", "<bvec>.float()", "<vec>.pow(<small>)", "1 / (<vec>.abs() + 1)",
        "torch.rand(3) * <vec>", "torch.rand(3) - torch.randn(3)", "<vec>.uniform_() + torch.rand(3)", "<vec>[torch.randperm(3)] - <vec>[torch.randperm(3)]",
        "<vec>.add_(<float>)", "<vec>.add_(<float>) + <vec>", "<vec>.sum() * <vec>.mul_(<float>)", "<mat>[<zero>].add_(1)",
    ],
    "mat": [
        "<mat> + <mat>", "<mat> @ <mat>", "<mat>.T", "<mat> * <vec>", "<mat> - <mat>.mean(dim=1, keepdim=True)", "<mat> / <small>", "torch.tril(<mat>)", "<mat>.transpose(0, 1)",
        "<vec>.unsqueeze(1) * <vec>", "<vec>[:, None] + <vec>[None, :]", "torch.stack([<vec>, <vec>, <vec>])", "torch.softmax(<mat>, dim=1)", "<mat>.masked_fill(<mat> > 1, 0.0)", "<mat>.clone()", "torch.outer(<vec>, <vec>)",
        "<mat>.reshape(3, -1)", "torch.matmul(<mat>, <mat>)", "<mat>.exp()", "<mat>.cumsum(dim=<zero>)", "<mat>.view(-1, 3)", "torch.cat([<mat>[:1], <mat>[1:]], dim=0)", "<mat>[[0, 2, 1]]", "<vec>.expand(3, 3)", "<vec>.repeat(3, 1)", "<mat>.permute(1, 0)",
        "torch.zeros(3, 3) + <float>", "<mat> ** 2", "torch.where(<mat> > 0, <mat>, torch.zeros(3, 3))", "torch.triu(<mat>, diagonal=1)", "F.relu(<mat>)",
    ],
    "ivec": [
        "<ivec> + <ivec>", "<ivec> * <int>", "<ivec> // 2", "<ivec> % 3", "-<ivec>", "<vec>.long()", "<mat>.argmax(dim=1)", "<bvec>.int()", "<ivec>.cumsum(0)", "torch.sort(<ivec>)[0]", "<bvec> + <ivec>", "<ivec> ** 2",
        "torch.tensor(<ints>[:1] * 3)", "<ivec>.flip(0)", "<ivec>[<index>] + <ivec>", "torch.where(<bvec>, <ivec>, 0)", "torch.argsort(<vec>)", "<ivec>.clamp(min=0)", "<ivec>.abs()", "torch.zeros(3, dtype=torch.long)", "torch.full((3,), <int>)",
    ],
    "bvec": ["<vec> > <vec>", "<ivec> == <ivec>", "<vec> <= <float>", "~<bvec>", "<bvec> & <bvec>", "<bvec> | <bvec>", "<ivec> != <int>", "<vec>.bool()", "<mat>.any(dim=1)", "torch.isclose(<vec>, <vec>)"],
}
EXPRESSIONS["number"] = [
    "<int> if <bool> else <float>", "max(<int>, <float>)", "min(<float>, <int>)", "<number> + <int>", "<number> * <number>", "<number> - <float>",
    "<number> // <small>", "<number> % <small>", "-<number>", "sum([<int>, <float>])", "<numbers>[<index>]", "sum(<numbers>)", "<number> - <number>",
    "max(<numbers>)", "<int> - <number>",
]
EXPRESSIONS["numbers"] = ["[<int>, <float>, <int>]", "<numbers>[1:] + [<number>]", "sorted(<numbers>)", "[v * 2 for v in <numbers>]", "[<number>, <int>, <float>]"]
EXPRESSIONS["int"] += ["int(<number>)", "random.randint(0, 9)", "random.choice(<ints>)", "len(<numbers>)"]
EXPRESSIONS["float"] += ["<number> / <small>", "float(<number>)", "<float> + <number>", "random.random()", "random.uniform(0, <small>)", "random.gauss(0, 1)"]
EXPRESSIONS["bool"] += ["<number> < <int>", "<number> == <number>", "<float> >= <number>"]
EXPRESSIONS["str"] += ["f'{<number><spec>}'", "str(<number>)"]
EXPRESSIONS["vec"] += ["<vec> * <number>", "torch.tensor(<numbers>[:1] * 3) + <vec>"]
# Gradients add up in the order in which operations were recorded, which shows where a tensor is used three times.
EXPRESSIONS["grad"] = [
    "<leaf> * <float>", "torch.sin(<leaf>)", "torch.exp(<leaf>) * <leaf>", "<grad> * <grad>", "<grad> + <leaf>", "<leaf> - <grad>", "F.relu(<grad>)", "<grad> * <vec>", "<leaf> ** 2",
    "(<leaf> * 0.3) * (torch.sin(<leaf>) * torch.exp(<leaf>))", "torch.stack([<leaf>, <grad>, torch.tanh(<leaf>)]).sum(0)", "torch.softmax(<grad>, dim=0)", "2 ** <leaf>", "<leaf>[<index>] * <grad>",
]
EXPRESSIONS["net"] = ["nn.Sequential(<net>, nn.ReLU())", "nn.Sequential(<net>, nn.Tanh(), <net>)"]
EXPRESSIONS["loader"] = ["DataLoader(TensorDataset(<mat>, <vec>), batch_size=<small>)", "DataLoader(TensorDataset(<mat>, <vec>), batch_size=2, shuffle=True)"]
EXPRESSIONS["grad"] += ["<net>(<vec>)"]
EXPRESSIONS["vec"] += ["<net>(<vec>).detach()", "torch.cat([yb for _, yb in <loader>])", "<vec>.sub_(<vec>)", "<vec>.clamp_(0, 2)", "<vec>.copy_(<vec>)", "<vec>.masked_fill_(<bvec>, <float>)"]
EXPRESSIONS["mat"] += ["<net>(<mat>).detach()", "<mat>.sub_(<vec>)", "<mat>.t_()"]
EXPRESSIONS["int"] += ["len(<loader>)", "sum(p.numel() for p in <net>.parameters())", "len(list(<net>.parameters()))", "(<int>) ** 21 % 1000", "(<int> << 62) % 1001"]
EXPRESSIONS["bool"] += ["isinstance(<pair>, tuple)", "isinstance(<number>, int)", "isinstance(<bool>, int)", "isinstance(<vec>, torch.Tensor)", "isinstance(next(iter(<loader>)), list)",
                        "isinstance(<net>, nn.Sequential)", "isinstance(<object>, Counter)", "isinstance(<int>, (float, str))"]
EXTRA = {"key": ["a", "b"], "zero": ["0", "1"]}

SHOWN = ["int", "number", "numbers", "float", "bool", "str", "ints", "floats", "strs", "rows", "dict", "pair", "vec", "mat", "ivec", "bvec"]

# `BODY` stands for an indented block of statements.
STATEMENTS = [
    "<set number> = <int>", "<set number> = <float>", "<set number> = <number>", "<var number> += <int>", "<var number> *= <float>", "<var number> = <float>",
    "<var number> = <var number> - <int>", "<set numbers> = <numbers>", "<var numbers>.append(<int>)", "<var numbers>[<zero>] = <float>",
    "for <loop number> in <numbers>:\n    BODY", "random.shuffle(<var ints>)", "random.seed(<small>)\n<new float> = random.random()",
    "<new ints> = random.sample(<ints>, 2)", "<new strs> = random.choices(<strs>, k=<small>)",
    "<set int> = <int>", "<set float> = <float>", "<set vec> = <vec>", "<set mat> = <mat>", "<set ints> = <ints>", "<set str> = <str>",
    "<set strs> = <strs>", "<set dict> = <dict>", "<set ivec> = <ivec>", "<set bool> = <bool>", "<set floats> = <floats>", "<set bvec> = <bvec>", "<set rows> = <rows>", "<set pair> = <pair>",
    "<var int> += <int>", "<var int> -= <int>", "<var int> *= <small>", "<var int> //= <small>", "<var float> += <float>", "<var float> /= <small>", "<var float> *= <int>", "<var str> += <str>", "<var int> %= <small>",
    "<var ints>.append(<int>)", "<var ints>.extend(<ints>)", "<var ints>.insert(0, <int>)", "<var ints>[<zero>] = <int>", "<var ints>.sort()", "<var ints>.reverse()", "<var ints> += [<int>]", "<set int> = <var ints>.pop()", "<var strs>.append(<str>)",
    "<var floats>.append(<float>)", "<var rows>.append(<ints>)", "<var rows>[0].append(<int>)", "<var dict>['a'] = <int>", "<var dict>['n'] = <var dict>.get('n', 0) + 1", "<var dict>['a'] += <int>",
    "<var vec>[<index>] = <float>", "<var mat>[<index>] = <vec>", "<var mat>[:, <zero>] = <float>", "<var mat>[<zero>, 1] += <float>", "<var vec> += <vec>", "<var vec> = <var vec> * <float>", "<var vec>.mul_(<float>)", "<var vec>.add_(<vec>)",
    "<var ivec>[<index>] = <int>", "<var vec>[<bvec>] = <float>", "<var vec>[1:] = 0", "<var mat>.fill_diagonal_(<float>)", "<var ivec> += 1", "<var vec> -= <var vec>.mean()", "<var vec>.zero_()",
    "<new int>, <new int> = <int>, <int>", "<new int>, <new int> = <pair>", "<new vec>, <new ivec> = <mat>.max(dim=1)", "<new vec>, <new vec> = <vec>, <vec>", "<new int>, <new int> = <mat>.shape", "<new vec> = <new vec> = <vec>",
    "<new vec> = <var vec>", "<new ints> = <var ints>[:]", "<new ints> = list(<var ints>)", "<new vec> = <var mat>[0]", "<new mat> = <var mat>.T",
    "print(<any>, <any>)", "print(<any>)", "print(f'{<float><spec>} {<int><ispec>} {<vec>}')", "print(<any>, <any>, sep=', ')", "print('n', <any>, end=';\\n')", "print(<str>, len(<ints>), <bool>)",
    "if <bool>:\n    BODY", "if <bool>:\n    BODY\nelse:\n    BODY", "if <bool>:\n    BODY\nelif <bool>:\n    BODY\nelse:\n    BODY",
    "for <loop int> in range(<small>):\n    BODY", "for <loop int> in <ints>:\n    BODY", "for <loop int>, <loop int> in enumerate(<ints>):\n    BODY", "for <loop str> in <strs>:\n    BODY",
    "for <loop int>, <loop float> in zip(<ints>, <floats>):\n    BODY", "for <loop str>, <loop int> in <dict>.items():\n    BODY", "for <loop vec> in <mat>:\n    BODY", "for <loop str> in <dict>:\n    BODY",
    "for <loop int> in range(4, 0, -1):\n    if <bool>:\n        break\n    BODY", "for <loop int> in range(4):\n    if <bool>:\n        continue\n    BODY", "for <loop ints> in <rows>:\n    BODY",
    "for <loop int> in range(2):\n    for <loop int> in range(2):\n        BODY", "<loop int> = 0\nwhile <last> < <small>:\n    <last> += 1\n    BODY", "with torch.no_grad():\n    BODY",
    "for <loop int>, <loop str> in enumerate(<strs>, start=1):\n    BODY", "torch.manual_seed(<small>)\n<new vec> = torch.rand(3)", "torch.manual_seed(<small>)\n<new mat> = torch.randn(3, 3)", "assert <bool> or True",
    "<var rows> += [<var ints>]", "<var rows>.insert(0, <var ints>)", "<var rows>[<zero>] = <var ints>", "<var ints>.append(<int>)", "<var rows>.extend([<var ints>])",
    "<new rows> = <var rows> + [<var ints>]", "<new ints> = max(<var rows>, key=len)", "<new rows> = <var rows>[1:]", "<new ints> = <var ints> if <bool> else <var ints>", "<new rows> = [v for v in <var rows>]",
    "<new object> = Counter(<small>)", "<new object> = Counter(<small>)", "<new object> = <var object>", "<new ints> = <var ints>", "<new rows> = [<var ints>, <ints>]",
    "<new vec> = <var mat>[<zero>]", "<new vec> = <var mat>.view(9)[:3]", "<new mat> = <var mat>.transpose(0, 1)", "<new vec> = <var vec>.view(3, 1).squeeze(1)", "<new ints>, <new ints> = <var ints>, <var ints>", "<var object>.n += <int>", "<var object>.n = <var object>.n - 1 - <small>",
    "<new leaf> = <leaf>", "<new leaf> = <leaf>\n(<grad> * <last> + <grad>).sum().backward()\nprint(<last>.grad)", "(<grad> + <var leaf>).sum().backward()\nprint(<var leaf>.grad)", "<new grad> = <grad>",
    "<var object>.items.append(<int>)", "<var object>.items = <ints>", "<new ints> = <var object>.items", "<var object>.items[<zero>] += <var object>.bump()", "<var dict>['a'] -= <var object>.bump()",
    "<var ints>[<var object>.bump() % 2] += <int>", "<var vec>[<var object>.bump() % 3] = <float>", "<var vec>[torch.randint(0, 3, (1,)).item()] += torch.rand(1).item()",
    "<var ints>[0], <var ints>[1] = <var object>.bump(), <var object>.n", "<new ints> = [v for v in <ints> if <var object>.bump() > v]", "while <var object>.bump() > 20:\n    BODY",
    "shift = lambda v: v + <int>\n<new int> = shift(<int>)", "print(f'{<var object>.bump():>4}|{<var object>.n}|{<var object>.both()}')", "<new int> = <new int> = <var object>.bump()",
    "<var object>.n += <var object>.bump()", "<new int>, <new int> = <var object>.both()",
    "for <loop int> in range(<var object>.n % 4):\n    BODY", "for <loop int> in <var object>.items:\n    BODY", "for <loop int> in range(len(<var ints>) % 5):\n    BODY",
    "print(f'{<vec>} {<vec>.add_(<float>)} {<var object>.bump()} {<var object>.n}')", "print(<var object>.n, <var object>.bump(), <var object>.n)", "print(<var vec>.sum(), <var vec>.add_(1), <var vec>.sum())",
    "<new ints> = [<var ints>.pop() for _ in range(len(<var ints>))]", "<new ints> = [<var object>.bump() + v for v in <ints>]", "<var ints>[<zero>] += <var object>.bump()",
]

# What a block assigns first, closures, defaults, recursion, errors that are caught, loaders, pictures, layers, and optimizers.
STATEMENTS += [
    "if <bool>:\n    <new int> = <int>\nif <bool>:\n    <last> = <int>\nprint(<last>)", "for <loop int> in range(3):\n    if <last> == 0:\n        <new int> = <int>\n    print(<last>)",
    "for <loop int> in range(3):\n    if <last> == <zero>:\n        <new vec> = <vec>\n    if <bool>:\n        print(<last>)", "for <new int> in <ints>:\n    BODY\nprint(<last>)",
    "def inner(v):\n    return v * <int> + <var int>\n<var int> += <int>\nprint(inner(<int>), inner(<int>))", "def inner(v=<var int>):\n    return v + <var int>\n<var int> -= 5\n<new int> = inner() + inner(<int>)",
    "def inner(t):\n    def scaled(by):\n        return t * by + <vec>\n    t = t + 1\n    return scaled(<float>)\n<new vec> = inner(<vec>)", "shifts = [lambda v: v + n for n in range(3)]\nprint([shift(<int>) for shift in shifts])",
    "def make():\n    count = <int>\n    def step(v=<int>):\n        nonlocal count\n        count += v\n        return count\n    return step\nstep = make()\nprint(step(), step(<int>), make()())",
    "def scaled(v, by=<int>, to=<float>):\n    return v * by + to\n<new float> = scaled(<float>, to=<float>)\nprint(scaled(<int>), scaled(<int>, <int>))", "def grow(v, seen=[]):\n    seen.append(v)\n    return len(seen)\nprint(grow(<int>), grow(<int>))",
    "def down(n):\n    return <int> if n <= 0 else n + down(n - 1)\n<new int> = down(<small>)", "def halve(t, n):\n    if n == 0:\n        return t\n    return halve(t / 2, n - 1)\n<new vec> = halve(<vec>, <small>)",
    "try:\n    <new float> = <float> / <int>\nexcept ZeroDivisionError:\n    <last> = 0.0", "try:\n    <new int> = <ints>[<int>]\nexcept IndexError:\n    <last> = -1", "try:\n    <new int> = <ints>.index(<int>)\nexcept ValueError:\n    <last> = <int>",
    "try:\n    <new int> = <dict>['a'] // <int>\nexcept Exception:\n    <last> = <int>", "try:\n    <new int> = int(<str>)\nexcept ValueError as error:\n    <last> = 0\n    print('no', error)", "try:\n    BODY\nexcept Exception:\n    BODY",
    "<new loader> = <loader>", "for <loop vec>, <loop ivec> in [(<vec>, <ivec>), (<vec>, <ivec>)]:\n    BODY", "for xb, yb in <loader>:\n    print(xb.sum(), yb)\n    BODY", "for i, (xb, yb) in enumerate(<var loader>):\n    <var vec> += xb.sum() * i",
    "plt.plot(<floats>)", "plt.scatter(<vec>, <vec>, s=<int>)", "plt.imshow(<mat>)\nplt.show()", "for xb, yb in DataLoader(TensorDataset(<mat>, <vec>), batch_size=2, shuffle=True):\n    plt.scatter(xb[:, 0], yb)\nplt.title(f'{<int>}')",
    "plt.bar(range(3), [<var object>.bump() for _ in range(3)])", "plt.hist(torch.rand(3))\n<new vec> = torch.rand(3)",
    "<new net> = <net>", "<new net> = <var net>", "<new net> = nn.Sequential(<var net>, nn.Sigmoid(), <var net>)", "with torch.no_grad():\n    for param in <var net>.parameters():\n        param.mul_(<float>)", "print(list(<net>.state_dict()), <var net>(<vec>))",
    "<new net> = <net>\n<new opt> = torch.optim.SGD(<last>.parameters(), lr=abs(<float>))", "<new opt> = torch.optim.Adam(<var net>.parameters(), lr=0.01)", "<var opt>.zero_grad()\n<var net>(<vec>).sum().backward()\n<var opt>.step()",
    "for i in range(3):\n    loss = (<var net>(<mat>) - <vec>).pow(2).mean()\n    <var opt>.zero_grad()\n    loss.backward()\n    <var opt>.step()\n    print(i, loss.item())",
]
# Few statements.
RARE = ["f = 1\nfor i in range(1, 26):\n    f *= i\nprint(f % 1000007)", "<new int> = 3 ** <small> ** 4\nprint(<last> % 1000)", "f = 7\nwhile f < 10 ** 30:\n    f = f * f\nprint(f % 1001)"]
# What import does not translate: later cells read what it leaves.
UNTRANSLATED = [
    "numbers = (v for v in <ints>)\n<new ints> = [v + 1 for v in numbers]", "<new int> = <int>\ndef change():\n    global <last>\n    <last> = <int>\nchange()", "globals()['<new int>'] = <int>", "exec('<new int> = 4')", "setattr(<var object>, 'n', <int>)",
    "vars(<var object>).update(n=<int>)", "<var ints>.__setitem__(0, <int>)", "<var vec>.apply_(lambda v: v + 1)", "torch.manual_seed(torch.initial_seed() + 1)", "list(map(<var ints>.append, [1, 2]))", "random.setstate(random.Random(<small>).getstate())",
    "<new net> = <net>\n<last>.register_forward_hook(lambda *_: None)", "<var opt>.param_groups[0].update(lr=0.5)", "[<var rows>.append(each) for each in <rows>]", "<new vec> = eval('torch.rand(3)')",
]

# Its methods change it, and so does asking for its length or an item.
COUNTER = """class Counter:
    def __init__(self, n):
        self.n = n
        self.items = [1, 2]

    def bump(self):
        self.n = (self.n * 3 + 1) % 50
        return self.n

    def less(self):
        self.n = self.n - 1 - 2
        self.n += self.bump()
        return self.n

    def both(self):
        return self.n, self.bump()

    def __len__(self):
        self.n += 1
        return len(self.items)

    def __getitem__(self, place):
        self.n += 2
        return self.items[place] + self.n
"""

# A function has parameters p0 and p1 of these kinds, and its last line returns the kind that comes after them.
FUNCTIONS = [(("int", "int"), "int"), (("float", "int"), "float"), (("vec", "float"), "vec"), (("mat", "vec"), "vec"), (("str", "int"), "str"), (("ints", "int"), "ints"), (("number", "int"), "number"), (("int", "float"), "number"), (("int", "int"), "bool"), (("vec", "vec"), "float"), (("ints", "int"), "int"), (("mat", "mat"), "mat"),
             (("object", "int"), "int"), (("object", "vec"), "float"), (("vec", "object"), "vec")]
