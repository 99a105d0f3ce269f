import type { EchoedView } from '#deposits';
import { SentText, Text } from '../fields/index.ts';

/** Of a create request: what is only shown again, on reads and webhooks. */
export class EchoedAskedBody implements Partial<EchoedView> {
  @SentText.optional('Shown again on reads and webhooks', 'terminal-4', { max: 64 })
  machine_id?: string;
}

/** On reads and webhooks. */
export class EchoedBody implements EchoedView {
  @Text.orNull('As sent at creation', 'terminal-4')
  machine_id!: string | null;
}
