import { expect, it } from '@jest/globals';
import { csvLine } from './index.ts';

it.each([
  [['a', 1, null, true], 'a,1,,true'],
  [['a "b", c', 'two\nlines'], '"a ""b"", c","two\nlines"'],
  [['=1+1', '+1', '-1+1', '-1', '-1.50', '@SUM(A1)', '\tx'], "'=1+1,'+1,'-1+1,-1,-1.50,'@SUM(A1),'\tx"],
  [['=HYPERLINK("http://x","y")'], '"\'=HYPERLINK(""http://x"",""y"")"'],
  [[-1.5, 'a=b'], '-1.5,a=b'],
])('writes %j so that a spreadsheet shows it and runs nothing', (values, line) => {
  expect(csvLine(values)).toBe(`${line}\r\n`);
});
