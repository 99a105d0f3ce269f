import type { Echoed } from '#deposits';
import type { Currency, DecimalText } from '#money';
import type { ApiKey } from '#partners';

/** POST /casino/deposit_address, its body checked. */
export type CreateRequest = Echoed & {
  readonly caller: Pick<ApiKey, 'affiliateId' | 'mode' | 'currencies' | 'id'>;
  readonly entityId: number;
  readonly currency: Currency;
  readonly gamblerRef: string;
  readonly phone: string;
  readonly email: string | null;
  readonly amount: DecimalText;
  readonly amountIsCrypto: boolean;
  readonly noConf: boolean;
  readonly instant: boolean;
  readonly actor: string;
  /** The `Idempotency-Key` of the call. */
  readonly key: string | null;
};
