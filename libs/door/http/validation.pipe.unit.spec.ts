import { expect, it } from '@jest/globals';
import { IsText } from '../rules/index.ts';
import { SchemaPipe } from './validation.pipe.ts';

class Named {
  @IsText()
  name!: string;
}

it('walks through nothing that its class has no fields for', () => {
  let walks = 0;
  const watched = (of: object): object =>
    new Proxy(of, {
      ownKeys: (target) => {
        walks += 1;
        return Reflect.ownKeys(target);
      },
    });
  const check = (body: object) => new SchemaPipe().transform(body, { type: 'body', metatype: Named });
  for (const sent of [{ a: 1 }, [1, 2, 3]]) {
    expect(check({ name: 'x', other: watched(sent) })).toEqual({ name: 'x' });
    expect(() => check({ name: watched(sent) })).toThrow();
  }
  expect(walks).toBe(0);
});

it('lets nobody bring a class or a prototype of his own', () => {
  const pipe = new SchemaPipe();
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty'])
    for (const value of [{}, [], { name: 'x' }, 'x', 1, null]) {
      const sent = Object.defineProperty({ name: 5 }, name, { value, enumerable: true });
      expect(() => pipe.transform(sent, { type: 'body', metatype: Named })).toThrow();
      const fine = Object.defineProperty({ name: 'x' }, name, { value, enumerable: true });
      const made = pipe.transform(fine, { type: 'body', metatype: Named });
      expect([made, Object.getPrototypeOf(made)]).toEqual([{ name: 'x' }, Named.prototype]);
    }
});
