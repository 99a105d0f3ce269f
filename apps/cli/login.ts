import type { Command } from './command.ts';
import { askHidden } from './parts/ask.ts';
import { exit, refused, usage } from './parts/exit.ts';
import { addressOf } from './service/address.ts';
import { noCointill } from './service/expected.ts';
import { keepLogin, loginFile } from './service/place.ts';
import { type Answered, openService } from './service/service.ts';
import { tokenIn } from './service/token.ts';

/** 403 is of an engine's token, which is known but may not see the installation. */
const isOfService = ({ status, body }: Answered): boolean =>
  typeof body === 'object' && body !== null && (status === 200 ? 'settings' : 'detail') in body;

export const login: Command = {
  words: 'login',
  summary: 'Keep the address of a service and your token for the commands that follow',
  description:
    'The token is asked for without an echo, or read from stdin. It is kept in a file for you alone, in ' +
    '$XDG_CONFIG_HOME/cointill or ~/.config/cointill. COINTILL_URL and COINTILL_TOKEN go before it.',
  args: [['[url]', 'where the service is; http://127.0.0.1:3000 unless told']],
  options: [['--plain-http', 'allow HTTP without TLS to another machine']],
  examples: ['cointill login https://pay.example', 'cointill login < token.txt'],
  json: {
    type: 'object',
    properties: { url: { type: 'string' }, file: { type: 'string' } },
    required: ['url', 'file'],
  },
  run: async ({ args, flag, out, signal }) => {
    const plainHttp = { allowed: flag('plain-http'), allow: 'say --plain-http' };
    const url = addressOf(args[0] ?? process.env.COINTILL_URL ?? 'http://127.0.0.1:3000', plainHttp);
    const given = process.env.COINTILL_TOKEN || (await askHidden(`Token for ${url}: `, signal));
    if (!given) throw usage('no token was given');
    const token = tokenIn(given);
    const answered = await openService({ signal, place: { url, token } }).answer('GET', '/operator/installation');
    const { status } = answered;
    if (status === 401) throw refused(`${url} does not know this token`);
    if (status !== 200 && status !== 403) throw refused(`${url} answers ${status}: is it a Cointill?`);
    if (!isOfService(answered)) throw noCointill(url);
    await keepLogin({ url, token });
    const file = loginFile();
    out.answer({ url, file }, () => out.note(`Logged in to ${url}; kept in ${file}`));
    return exit.done;
  },
};
