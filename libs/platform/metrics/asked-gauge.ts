import { Gauge } from 'prom-client';
import type { Metrics } from './metrics.ts';

export type AskedGauge = {
  readonly name: string;
  readonly help: string;
  readonly ask: () => Promise<number>;
};

/** A gauge whose number is asked for at every scrape. What is not known has to look so: 0 would silence an alarm. */
export const registerGauge = ({ registry }: Pick<Metrics, 'registry'>, { name, help, ask }: AskedGauge): void => {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(await ask().catch(() => Number.NaN));
    },
  });
};
