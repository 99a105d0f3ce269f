import { Controller, type DynamicModule, Get, Inject, Module, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AUTHENTICATE_OPERATOR, OperatorErrors, OperatorGuard, Roles } from '#door/access';
import { List } from '#door/fields';
import type { AuthenticateOperator } from '#partners';

const SIMULATED = Symbol('simulated parts');

type SimulatedParts = () => Promise<readonly string[]>;

class InstallationBody {
  @List(String, 'What is played here and not real: no message goes out, or nobody can spend what comes in', [
    'KYC',
    'SMS',
    'e-mail',
  ])
  simulated!: readonly string[];
}

@ApiTags('Operator: installation')
@ApiBearerAuth('operator_token')
@Controller('operator/installation')
@UseGuards(OperatorGuard)
class InstallationController {
  readonly #simulated: SimulatedParts;

  constructor(@Inject(SIMULATED) simulated: SimulatedParts) {
    this.#simulated = simulated;
  }

  @Get()
  @Roles('admin', 'ops', 'auditor')
  @ApiOperation({ operationId: 'describeInstallation', summary: 'What of this installation is simulated' })
  @ApiOkResponse({ type: InstallationBody })
  @OperatorErrors()
  async describe(): Promise<InstallationBody> {
    return { simulated: await this.#simulated() };
  }
}

@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class InstallationModule {
  static with(authenticateOperator: AuthenticateOperator, simulated: SimulatedParts): DynamicModule {
    return {
      module: InstallationModule,
      controllers: [InstallationController],
      providers: [
        { provide: AUTHENTICATE_OPERATOR, useValue: authenticateOperator },
        { provide: SIMULATED, useValue: simulated },
      ],
    };
  }
}
