import { expect, it } from '@jest/globals';
import { getMetadataStorage, IsString, MaxLength, validateSync } from 'class-validator';
import { keepSettledRules } from './settled-rules.ts';

class Named {
  @IsString()
  name!: unknown;
}

class Short extends Named {
  @MaxLength(2)
  nick!: unknown;
}

class Grouped {
  @IsString({ groups: ['one'] })
  name!: unknown;
}

const wrongIn = (body: Named, groups?: string[]): string[] =>
  validateSync(Object.assign(body, { name: 4_711, nick: 4_711 }), {
    forbidUnknownValues: false,
    ...(groups && { groups }),
  }).flatMap(({ constraints }) => Object.keys(constraints ?? {}).toSorted());

it('looks for the rules of a class once, and finds those of each class and what it extends', () => {
  let looks = 0;
  const storage = getMetadataStorage();
  const find = storage.getTargetValidationMetadatas.bind(storage);
  storage.getTargetValidationMetadatas = (...asked) => {
    looks += 1;
    return find(...asked);
  };
  keepSettledRules();
  for (let nth = 0; nth < 3; nth++) {
    expect(wrongIn(new Named())).toEqual(['isString']);
    expect(wrongIn(new Short())).toEqual(['maxLength', 'isString']);
  }
  expect(looks).toBe(2);
  expect(wrongIn(new Grouped(), ['one'])).toEqual(['isString']);
  expect(wrongIn(new Grouped(), ['other'])).toEqual([]);
});
