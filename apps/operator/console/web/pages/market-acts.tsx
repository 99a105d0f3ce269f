import type { ExtendedKeyBody, ExtendedKeysBody } from '../../../market/extended-keys/extended-key-bodies.ts';
import type { RatesBody } from '../../../market/rates/rate-bodies.ts';
import { call } from '../calls.ts';
import { Act } from '../parts/act.tsx';
import { useLoad } from '../parts/load.ts';
import { Table } from '../parts/table.tsx';

export type Rate = RatesBody['rates'][number];

export const Pin = ({ rate: { ticker, current, pinned }, onDone }: { rate: Rate; onDone: () => void }) => (
  <div class="buttons">
    <Act
      needs="pinRate"
      text="Pin"
      label={`Pin the rate of ${ticker}`}
      ask={{
        title: `Pin the rate of ${ticker}`,
        label: 'Pin it',
        dangerous: true,
        fields: [{ name: 'usd', label: 'USD (empty: unavailable)', optional: true, pattern: '[0-9]+(\\.[0-9]+)?' }],
        children: (
          <p>
            Now: <strong>{current ?? 'unavailable'}</strong>. Then: what you pin, at once for every quote, until it is
            unpinned.
          </p>
        ),
        act: (reason, { usd = null }: { readonly usd?: string | null }) =>
          call(`/operator/rates/${ticker}`, { method: 'PUT', body: { usd }, reason }).then(onDone),
      }}
    />
    {pinned && (
      <Act
        needs="unpinRate"
        text="Unpin"
        label={`Unpin the rate of ${ticker}`}
        ask={{
          title: `Unpin the rate of ${ticker}`,
          label: 'Unpin it',
          dangerous: true,
          children: <p>Then it comes from the providers again.</p>,
          act: (reason) => call(`/operator/rates/${ticker}`, { method: 'DELETE', reason }).then(onDone),
        }}
      />
    )}
  </div>
);

const keyShown = (answer: unknown) => {
  const { ticker, first_address } = answer as ExtendedKeyBody;
  return (
    <p>
      Hold this against the first receiving address that your wallet shows for {ticker}: <code>{first_address}</code>.
      Is it another one, configure the right key before anybody pays.
    </p>
  );
};

/** Whose money of a currency goes where. */
export const ExtendedKeys = ({ tickers }: { tickers: readonly string[] }) => {
  const loaded = useLoad<ExtendedKeysBody>('/operator/extended-keys');
  return (
    <>
      {loaded.data && (
        <Table
          caption="Extended keys: addresses are derived from them"
          none="No extended key is configured."
          rows={loaded.data.extended_keys}
          keyOf={({ ticker }) => ticker}
          columns={[
            { head: 'Currency', text: ({ ticker }) => ticker },
            { head: 'Key', text: ({ xpub }) => xpub },
            { head: 'From', text: ({ origin, note }) => (note ? `${origin}, ${note}` : origin) },
            { head: 'Next', text: ({ next_index }) => String(next_index), numeric: true },
            { head: 'First address', text: ({ first_address }) => first_address },
          ]}
        />
      )}
      <Act
        needs="configureExtendedKey"
        text="Configure an extended key"
        ask={{
          title: 'Configure an extended key',
          label: 'Derive from this key',
          dangerous: true,
          fields: [
            { name: 'ticker', label: 'Currency', words: tickers },
            { name: 'xpub', label: 'Extended public key' },
            { name: 'note', label: 'Whose it is, or its path', optional: true },
          ],
          children: <p>From now on money of this currency goes to addresses of this key.</p>,
          act: async (reason, { ticker = '', ...body }) => {
            const made = await call(`/operator/extended-keys/${ticker}`, { method: 'PUT', body, reason });
            loaded.reload();
            return made;
          },
          shows: keyShown,
        }}
      />
    </>
  );
};
