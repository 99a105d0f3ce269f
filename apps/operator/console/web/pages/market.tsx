import type { PoolsBody } from '../../../market/addresses/address-bodies.ts';
import type { CurrenciesBody } from '../../../market/currencies/currency-bodies.ts';
import type { RatesBody } from '../../../market/rates/rate-bodies.ts';
import { call } from '../calls.ts';
import { Act } from '../parts/act.tsx';
import { useLoad } from '../parts/load.ts';
import { Page } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { useCan } from '../session/session.ts';
import { ExtendedKeys, Pin, type Rate } from './market-acts.tsx';

type Currency = CurrenciesBody['currencies'][number];

const onOff = (is: boolean): string => (is ? 'on' : 'off');

const Switch = ({ currency: { ticker, enabled }, onDone }: { currency: Currency; onDone: () => void }) => {
  const turn = `Switch ${onOff(!enabled)}`;
  return (
    <Act
      needs="switchCurrency"
      text={turn}
      label={`${turn} the currency ${ticker}`}
      ask={{
        title: `the currency ${ticker}`,
        label: turn,
        children: (
          <p>
            Now: <strong>{onOff(enabled)}</strong>. Then: <strong>{onOff(!enabled)}</strong>, at once for every casino.
          </p>
        ),
        act: () => call(`/operator/currencies/${ticker}`, { method: 'PUT', body: { enabled: !enabled } }).then(onDone),
      }}
    />
  );
};

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
                    cell: (currency: Currency) => <Switch currency={currency} onDone={currencies.reload} />,
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
