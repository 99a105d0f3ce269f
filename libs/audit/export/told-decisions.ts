import { depositStreamPrefix } from '#deposit-commands';
import { notToldOf, type Refused } from '../verify/refused.ts';
import { decisionsIn, type ExportOptions, type Told } from './decisions.ts';

type Options = ExportOptions & { readonly refused?: Refused | undefined };

/** Every decision, and at the end what this process refuses though nothing that is kept says why. */
export async function* toldDecisions(options: Options): AsyncGenerator<readonly Told[]> {
  const found = new Set<string | undefined>();
  for await (const page of decisionsIn(options)) {
    for (const each of page) if ('problem' in each) found.add(each.stream);
    yield page;
  }
  const others = await Array.fromAsync(notToldOf(options.refused, found));
  // Whose it is was in what is gone: it may be any casino's.
  yield others.filter(({ stream }) => stream?.startsWith(depositStreamPrefix));
}
