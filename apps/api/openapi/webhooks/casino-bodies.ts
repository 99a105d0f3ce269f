import { IntersectionType } from '@nestjs/swagger';
import { depositDecisions, kytResults, noConfStates, ofacStatuses, paymentStatuses } from '#deposits';
import { AmountsBody, EchoedBody } from '#door/deposits';
import { Flag, Int, List, Num, Text, Time, Word } from '#door/fields';
import { currencies } from '#money';
import { Address, DecisionTime, EventName, NoConf, TestMark, Timestamp } from './fields.ts';

/** What every event of a casino deposit carries. */
export class CasinoWebhook {
  @EventName()
  event!: string;

  @Int('The deposit; 0 on test events', 1021)
  deposit_id!: number;

  @Int('The underlying payment; 0 on test events', 1021)
  transaction_id!: number;

  @Int('The casino', 41)
  entity_id!: number;

  @Text.orNull("The casino's external_code", 'aurora')
  entity_external_code!: string | null;

  @Text('The player, as sent at creation', 'p-1021')
  gambler_ref!: string;

  @Word(depositDecisions, 'As it stood after the event', 'pending')
  decision!: string;

  @Flag('Created with instant', false)
  instant!: boolean;

  @Flag('More was received than the instant ceiling: it waits for KYT', false)
  instant_downgraded!: boolean;

  @Flag('Snapshot: whether an accept would find the deposit ready, whatever its amount', true)
  acceptable!: boolean;

  @Num('At most 8 decimals', 0.00171718)
  crypto_amount!: number;

  @Num.orNull('Received on chain so far', 0.00171718)
  confirmed_crypto!: number | null;

  @Word(currencies, 'Of the deposit', 'BTC')
  currency!: string;

  @Timestamp()
  timestamp!: number;

  @TestMark()
  test?: true;
}

export class PaymentWebhook extends IntersectionType(CasinoWebhook, EchoedBody) {
  @Word(paymentStatuses, 'Payment status', 'Confirmed')
  status!: string;

  @Address()
  address!: string | null;

  @List(String, 'Transactions of the payments that count, each once')
  txids!: string[];

  @NoConf()
  no_conf!: boolean;

  @Word.orNull(noConfStates, 'null on standard deposits', null)
  no_conf_state!: string | null;

  @Flag.optional('Only on a restored late deposit; absent otherwise', undefined, { enum: [true] })
  late_payment?: true;
}

export class KytWebhook extends CasinoWebhook {
  @Word(kytResults, 'The result', 'passed')
  kyt_status!: string;

  @Text.orNull('Decimal string', '0.12')
  kyt_risk_score!: string | null;
}

export class OfacWebhook extends CasinoWebhook {
  @Word(
    ofacStatuses.filter((status) => status !== 'pending'),
    'timed_out: the deadline was missed and screening goes on; hit after an accept: reverse the credit',
    'clear',
  )
  ofac_result!: string;
}

export class DoubleSpendWebhook extends CasinoWebhook {
  @Time('When it was seen')
  double_spent_at!: string;

  @Text.orNull('The replacing transaction')
  double_spend_txid!: string | null;

  @Word.orNull(noConfStates, 'double_spent from now on')
  no_conf_state!: string | null;
}

export class AcceptedWebhook extends IntersectionType(CasinoWebhook, AmountsBody, EchoedBody) {
  @DecisionTime()
  decision_at!: string;

  @Flag('Whether it was re-priced to the received amount', false)
  adjusted!: boolean;

  @Text.orNull('Decimal string, spreads included', '59400')
  crypto_rate!: string | null;

  @Address()
  address!: string | null;

  @NoConf()
  no_conf!: boolean;
}

export class ReturnedWebhook extends CasinoWebhook {
  @DecisionTime()
  decision_at!: string;

  @Int('The queued return', 7)
  return_id!: number;

  @Text('Where the crypto is sent, as it was asked for')
  return_address!: string;

  @Text.orNull('As it was given')
  reason!: string | null;
}

export class FrozenWebhook extends CasinoWebhook {
  @DecisionTime()
  decision_at!: string;
}
