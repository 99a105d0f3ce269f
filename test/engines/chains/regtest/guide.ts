import type { Place } from './place.ts';

const json = (body: object): string => `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;

const regtest = 'npm run --silent regtest --';

const quote = ({ url, key, entityId }: Place): readonly string[] => [
  `QUOTE=$(curl -s ${url}/casino/deposit_address -H 'X-API-Key: ${key}' ${json({
    ...{ entity_id: entityId, gambler_ref: 'alice', phone: '+15550100' },
    ...{ currency: 'BTC', amount: 100 },
  })})`,
  `DEPOSIT=$(echo "$QUOTE" | sed -n 's/.*"deposit_id":\\([0-9]*\\).*/\\1/p')`,
];

/** What can be pasted, in the order in which a deposit lives. */
export const guide = (place: Place): string => {
  const deposit = `${place.url}/casino/deposit/$DEPOSIT`;
  const partner = `-H 'X-API-Key: ${place.key}'`;
  const until = (what: string) => `until curl -s ${deposit} ${partner} | grep -q '${what}'; do sleep 1; done`;
  const parts: readonly (readonly [string, readonly string[]])[] = [
    [
      'A deposit gets its address and price, and is paid as quoted:',
      [...quote(place), `${regtest} pay $DEPOSIT`, until('"confirmed_crypto":[0-9]')],
    ],
    ['A block confirms the payment:', [`${regtest} mine`, until('"status":"Confirmed"')]],
    [
      'That block is given up for a longer branch without it, and the payment is mined again:',
      [`${regtest} reorganise 1`, until('"status":"Succeed"'), `${regtest} mine`, until('"status":"Confirmed"')],
    ],
    [
      'Screening passes, and the casino accepts:',
      [`${regtest} screen $DEPOSIT`, until('"acceptable":true'), `curl -s -X POST ${deposit}/accept ${partner}; echo`],
    ],
    [
      'Another deposit is paid, and the same coins are spent again before a block has them:',
      [
        ...quote(place),
        `TXID=$(${regtest} pay $DEPOSIT)`,
        until('"confirmed_crypto":[0-9]'),
        `${regtest} double-spend $TXID`,
        until('"status":"Pending"'),
      ],
    ],
  ];
  return parts.flatMap(([title, lines]) => [title, '', ...lines.map((line) => `  ${line}`), '']).join('\n');
};
