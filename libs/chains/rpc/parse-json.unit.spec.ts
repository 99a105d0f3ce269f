import { expect, it } from '@jest/globals';
import { parseJson } from './parse-json.ts';

it('keeps a number with a point as it was written, and every other as it is', () => {
  expect(parseJson('{"base":0.00012300,"vsize":110,"huge":12345678901234567890,"list":[1,-2.50]}')).toEqual({
    ...{ base: '0.00012300', vsize: 110 },
    ...{ huge: '12345678901234567890', list: [1, '-2.50'] },
  });
});
