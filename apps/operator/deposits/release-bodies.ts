import {
  MOST_KNOWN_PAYMENTS,
  type ScreeningAlarm,
  screeningAlarms,
  type WithholdingReason,
  withholdings,
} from '#deposits';
import { List, SentWords } from '#door/fields';
import { Optional, rule } from '#door/rules';
import { NoteBody, SeenRevision } from './deposit-bodies.ts';

/** As many as a deposit may have payments, and what screening has against it. */
const MOST = MOST_KNOWN_PAYMENTS + screeningAlarms.length;
const REASON = new RegExp(`^(?:${withholdings.join('|')})(?::[ -~]{1,150})?$`);

const isReason = (value: unknown): boolean => typeof value === 'string' && REASON.test(value);

const AreReasons = (): PropertyDecorator =>
  rule({
    name: 'areReasons',
    message: `must be a list of up to ${MOST} of ${withholdings.join(', ')}, each alone or with a payment: double_spent:<txid>:<vout>`,
    holds: (value) => Array.isArray(value) && value.length <= MOST && value.every(isReason),
  });

export class ReleaseReturnBody {
  @SentWords.optional(
    screeningAlarms,
    'What holds it, as it was looked at: refused where more does now. Left out: whatever holds it is released, and of what a second person lets through what held it when that was asked for',
    ['kyt_failed'],
  )
  held_because?: readonly ScreeningAlarm[];

  @SeenRevision()
  seen_revision?: number;
}

export class ReleaseSettlementBody extends NoteBody {
  @AreReasons()
  @Optional()
  @List.optional(
    String,
    'What withholds it, as it was looked at: refused where more does now. A word is of all its payments, with `:<txid>:<vout>` of one. Left out: whatever withholds it is released, and of what a second person lets through what withheld it when that was asked for',
    ['unconfirmed'],
  )
  withheld?: readonly WithholdingReason[];

  @SeenRevision()
  seen_revision?: number;
}
