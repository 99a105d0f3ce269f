import { type DynamicModule, Get, Inject } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OperatorRoutes, Roles } from '#door/access';
import { List, Text } from '#door/fields';
import { routesOf } from '#door/http';
import { Described } from '#door/openapi';
import type { Configuration } from '#platform/configuration';

const SIMULATED = Symbol('simulated parts');
const IN_FORCE = Symbol('settings in force');

type SimulatedParts = () => Promise<readonly string[]>;

class SettingBody {
  @Text('Its variable', 'ENGINE')
  name!: string;

  @Text('As it is in force; of a secret whether it is set', 'simulated')
  value!: string;
}

class InstallationBody {
  @List(String, 'What is played here and not real: no message goes out, or nobody can spend what comes in', [
    'KYC',
    'SMS',
    'e-mail',
  ])
  simulated!: readonly string[];

  @List(SettingBody, 'Of the process that answered')
  settings!: readonly SettingBody[];
}

@OperatorRoutes('operator/installation', 'Operator: installation')
class InstallationController {
  @Inject(SIMULATED) private readonly simulated!: SimulatedParts;
  @Inject(IN_FORCE) private readonly inForce!: readonly SettingBody[];

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @Described('describeInstallation', 'What of this installation is simulated, and how it is set')
  @ApiOkResponse({ type: InstallationBody })
  async describe(): Promise<InstallationBody> {
    return { simulated: await this.simulated(), settings: this.inForce };
  }
}

/** With what the files of settings held when they were read: they may be exchanged before the next start. */
export const installationRoutes = (simulated: SimulatedParts, { shown }: Configuration): DynamicModule =>
  routesOf([InstallationController], { [SIMULATED]: simulated, [IN_FORCE]: shown });
