import { expect, it } from '@jest/globals';
import { csvLine } from './index.ts';

it.each([
  [['a', 1, null, true], 'a,1,,true'],
  [['a "b", c', 'two\nlines'], '"a ""b"", c","two\nlines"'],
  [['=1+1', '+1', '-1+1', '-1', '-1.50', '@SUM(A1)', '\tx'], "'=1+1,'+1,'-1+1,-1,-1.50,'@SUM(A1),\"'\tx\""],
  [['\uFF1D1', '\uFF0B1', '\uFF0D1', 'a;\uFF20x'], "'\uFF1D1,'\uFF0B1,'\uFF0D1,\"a;'\uFF20x\""],
  [['=HYPERLINK("http://x","y")'], '"\'=HYPERLINK(""http://x"",""y"")"'],
  [[-1.5, 'a=b'], '-1.5,a=b'],
  [['a;b', 'a\tb', ';'], '"a;b","a\tb",";"'],
  [["a;=1+1+cmd|'/C calc'!A0;-1"], `"a;'=1+1+cmd|'/C calc'!A0;'-1"`],
  [['a\t@x', 'a\n+1', 'a\r\n-1', '\t=x'], `"a\t'@x","a\n'+1","a\r\n'-1","'\t'=x"`],
  [['a;"=1+1;b', "'=1"], `"a;'""=1+1;b",''=1`],
])('writes %j so that a spreadsheet shows it and runs nothing', (values, line) => {
  expect(csvLine(values)).toBe(`${line}\r\n`);
});

/** As a spreadsheet that obeys RFC 4180 but for another separator: quotes count where they begin a cell. */
const cellsBy = (separator: string, line: string): string[] => {
  const cells = [''];
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line.charAt(at);
    const here = cells.at(-1);
    if (quoted && letter === '"' && line.charAt(at + 1) === '"') at += 1;
    else if (letter === '"' && (quoted || here === '')) {
      quoted = !quoted;
      continue;
    } else if (!quoted && (letter === separator || letter === '\r' || letter === '\n')) {
      cells.push('');
      continue;
    }
    cells[cells.length - 1] += letter;
  }
  return cells;
};

const texts = (function* () {
  const letters = ['=', '-', "'", '"', ';', '\t', '\n', 'a'];
  let row = [''];
  for (let length = 1; length <= 5; length += 1) {
    row = row.flatMap((text) => letters.map((letter) => text + letter));
    yield* row;
  }
})();

it('runs nothing of any text, whatever a spreadsheet takes for its separator, and loses nothing of it', () => {
  const run: string[] = [];
  const lost: string[] = [];
  for (const text of texts) {
    const line = csvLine([text, 'b']);
    if ([',', ';', '\t'].some((by) => cellsBy(by, line).some((cell) => /^[=-]/.test(cell)))) run.push(text);
    const [kept = ''] = cellsBy(',', line);
    const back = kept.replace(/^'(?=['"]*[=\-\t])|(?<=[;\t\n])'(?=['"]*[=-])/g, '');
    if (back !== text) lost.push(text);
  }
  expect({ run, lost }).toEqual({ run: [], lost: [] });
});
