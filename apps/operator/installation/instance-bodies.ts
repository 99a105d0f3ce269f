import { Flag, List, Num, Text, Time } from '#door/fields';
import type { Instance } from '#instances';

class InstanceBody implements Instance {
  @Text('Of this run of it', '5f0a7e5e-3b1c-4a52-9d0e-6f1d2c3b4a59', { format: 'uuid' })
  id!: string;

  @List(String, 'The parts of the service that it runs', ['api', 'operator'])
  apps!: readonly string[];

  @Text('Of the release', '0.1.0')
  version!: string;

  @Text('The machine, as it calls itself', 'cointill-1')
  host!: string;

  @Num('Of the process, on its machine', 4711)
  pid!: number;

  @Time('When the process started', '2026-01-02T03:04:05.678Z')
  started_at!: string;

  @Time('When it said last that it runs', '2026-01-02T03:04:05.678Z')
  seen_at!: string;

  @Flag('false: it has said nothing for 15 seconds, and is dead, frozen or cut off; after a minute it is forgotten')
  alive!: boolean;

  @Flag.orNull('FOUR_EYES as it was set there; null: it was left out, or the release does not say', null)
  four_eyes!: boolean | null;

  @Num.orNull('OIDC_RECHECK there; null: nobody signs in by a provider there, or the release does not say', 3600)
  recheck_s!: number | null;
}

export class InstancesBody {
  @List(InstanceBody, 'The oldest first')
  instances!: readonly InstanceBody[];
}
