import type { PoolsBody } from '../../../market/addresses/address-bodies.ts';
import type { CurrenciesBody } from '../../../market/currencies/currency-bodies.ts';
import type { RatesBody } from '../../../market/rates/rate-bodies.ts';
import { call } from '../calls.ts';
import { useAsk } from '../parts/confirm.tsx';
import { useLoad } from '../parts/load.ts';
import { Page } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { useCan } from '../session/session.ts';
import { ExtendedKeys, Pin, type Rate } from './market-acts.tsx';

type Switched = { readonly ticker: string; readonly is: boolean; readonly path: string; readonly field: string };

const Switch = ({
  of: { ticker, is, path, field },
  what,
  onDone,
}: {
  of: Switched;
  what: string;
  onDone: () => void;
}) => {
  const ask = useAsk();
  const turn = () =>
    ask({
      title: `${what} ${ticker}`,
      label: is ? 'Switch off' : 'Switch on',
      children: (
        <p>
          Now: <strong>{is ? 'on' : 'off'}</strong>. Then: <strong>{is ? 'off' : 'on'}</strong>, at once for every
          casino.
        </p>
      ),
      act: () => call(`/operator/${path}/${ticker}`, { method: 'PUT', body: { [field]: !is } }).then(onDone),
    });
  return (
    <button type="button" onClick={turn} aria-label={`${is ? 'Switch off' : 'Switch on'} ${what} ${ticker}`}>
      {is ? 'Switch off…' : 'Switch on…'}
    </button>
  );
};

const onOff = (is: boolean): string => (is ? 'on' : 'off');

/** What can be taken, at which price, and which addresses are left. */
export const Market = () => {
  const can = useCan();
  const currencies = useLoad<CurrenciesBody>('/operator/currencies');
  const rates = useLoad<RatesBody>('/operator/rates');
  const pools = useLoad<PoolsBody>('/operator/address-pool');
  return (
    <Page title="Market" loaded={currencies}>
      {currencies.data && (
        <Table
          caption="Currencies"
          rows={currencies.data.currencies}
          keyOf={({ ticker }) => ticker}
          columns={[
            { head: 'Currency', text: ({ ticker }) => ticker },
            { head: 'Taken', text: ({ enabled }) => onOff(enabled) },
            ...(can('switchCurrency')
              ? [
                  {
                    head: 'Act',
                    text: () => '',
                    cell: ({ ticker, enabled }: CurrenciesBody['currencies'][number]) => (
                      <Switch
                        of={{ ticker, is: enabled, path: 'currencies', field: 'enabled' }}
                        what="the currency"
                        onDone={currencies.reload}
                      />
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
      {rates.data && (
        <Table
          caption="Rates in USD"
          rows={rates.data.rates}
          keyOf={({ ticker }) => ticker}
          columns={[
            { head: 'Currency', text: ({ ticker }) => ticker },
            { head: 'Now', text: ({ current }) => current ?? 'unavailable', numeric: true },
            { head: 'Pinned', text: ({ pinned, usd }) => (pinned ? (usd ?? 'as unavailable') : 'no'), numeric: true },
            ...(can('pinRate')
              ? [
                  {
                    head: 'Act',
                    text: () => '',
                    cell: (rate: Rate) => <Pin rate={rate} onDone={rates.reload} />,
                  },
                ]
              : []),
          ]}
        />
      )}
      {pools.data && (
        <Table
          caption="Pools of addresses"
          rows={pools.data.pools}
          keyOf={({ ticker }) => ticker}
          columns={[
            { head: 'Currency', text: ({ ticker }) => ticker },
            { head: 'Handed out', text: ({ available }) => onOff(available) },
            { head: 'Free', text: ({ free }) => String(free), numeric: true },
            { head: 'Taken', text: ({ taken }) => String(taken), numeric: true },
          ]}
        />
      )}
      {currencies.data && <ExtendedKeys tickers={currencies.data.currencies.map(({ ticker }) => ticker)} />}
    </Page>
  );
};
