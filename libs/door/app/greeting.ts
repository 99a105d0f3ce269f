import type { Configuration } from '#platform/configuration';
import type { Started } from './start.ts';

type Demonstration = NonNullable<Started['demonstration']>;

type Guide = {
  readonly url: string;
  readonly operatorUrl: string;
  readonly demonstration: Demonstration;
  /** What stands in the lines for the operator's token: itself when it was made now, else its setting. */
  readonly operator: string;
};

const json = (body: object): string => `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;

const bearer = ({ operator }: Guide): string => `-H "Authorization: Bearer ${operator}"`;

const player = { gambler_ref: 'alice', phone: '+15550100' };

/** The main job from end to end, to be pasted at once; what a line needs of an answer it takes by itself. */
const mainJob = (guide: Guide, simulated: boolean): string[] => {
  const { url, operatorUrl, demonstration } = guide;
  const { key, entityId: entity_id } = demonstration;
  const partner = `-H 'X-API-Key: ${key}'`;
  const deposit = `${url}/casino/deposit/$DEPOSIT`;
  const paid = `-H 'Content-Type: application/json' -d "{\\"deposit_id\\":$DEPOSIT,\\"scenario\\":\\"paid\\"}"`;
  return [
    `curl -s -X PUT ${operatorUrl}/operator/players ${bearer(guide)} ${json({ entity_id, ...player, kyc: 'verified' })}; echo`,
    `QUOTE=$(curl -s ${url}/casino/deposit_address ${partner} ${json({ entity_id, ...player, currency: 'BTC', amount: 100 })})`,
    `echo "$QUOTE"; DEPOSIT=$(echo "$QUOTE" | sed -n 's/.*"deposit_id":\\([0-9]*\\).*/\\1/p')`,
    ...(simulated
      ? [
          `curl -s ${operatorUrl}/engine/simulate ${bearer(guide)} ${paid}; echo`,
          `until curl -s ${deposit} ${partner} | grep -q '"acceptable":true'; do sleep 1; done`,
          `curl -s -X POST ${deposit}/accept ${partner}; echo`,
        ]
      : [`curl -s ${deposit} ${partner}; echo`]),
  ];
};

const story = (simulated: boolean): string =>
  `Try it, all lines at once: a player is verified, a deposit gets its address and price, ${
    simulated ? 'the payment is played, screened and confirmed, and the deposit is accepted:' : 'and is read:'
  }`;

const tokenLines = ({ operatorToken, engineToken }: Started['tokens']): string[] => [
  ...(operatorToken ? [`Operator token (admin), shown this once:  ${operatorToken}`] : []),
  ...(engineToken ? [`Engine token, shown this once:            ${engineToken}`] : []),
];

const firstStart = (started: Started, demonstration: Demonstration, simulated: boolean): string[] => {
  const { url, operatorUrl, tokens, apps } = started;
  const guide: Guide = { url, operatorUrl, demonstration, operator: tokens.operatorToken ?? '$OPERATOR_TOKEN' };
  return [
    `This first start made the affiliate "Demonstration", a casino (entity_id ${demonstration.entityId}) and an API key,`,
    'both in test mode: their deposits are never settled.',
    'The key is shown this once:',
    '',
    `  ${demonstration.key}`,
    '',
    // A part of the service cannot do the whole job.
    ...(apps ? [] : [story(simulated), '', ...mainJob(guide, simulated).map((line) => `  ${line}`), '']),
  ];
};

/** What only a first start has to say, keys and tokens among it. */
export const firstWords = (started: Started, { engine }: Pick<Configuration, 'engine'>): string | undefined => {
  const { demonstration, tokens } = started;
  const made = tokenLines(tokens);
  const lines = [
    ...made,
    ...(made.length > 0 ? [''] : []),
    ...(demonstration ? firstStart(started, demonstration, engine === 'simulated') : []),
  ];
  return lines.length > 0 ? lines.join('\n') : undefined;
};

/** Where the service is, and what of it is simulated. */
export const greeting = (started: Started): string => {
  const { url, operatorUrl, simulated, apps, hasDoor } = started;
  return [
    `Cointill  ${url}`,
    ...(operatorUrl === url ? [] : [`Operators ${operatorUrl}`]),
    ...(hasDoor ? [`Docs      ${operatorUrl}/docs`] : []),
    ...((apps?.includes('operator') ?? true) ? [`Console   ${operatorUrl}/console/`] : []),
    ...(apps ? [`Apps      ${apps.join(', ')}`] : []),
    `Simulated ${simulated.join(', ')}`,
  ].join('\n');
};
