import { type DynamicModule, Module } from '@nestjs/common';
import { AUTHENTICATE_OPERATOR } from '#door/access';
import type { AuthenticateOperator } from '#partners';
import type { Projections } from '#read-models';
import { PROJECTIONS, ProjectionsController } from './projections.controller.ts';

export type ProjectionsParts = {
  readonly projections: Pick<Projections, 'status' | 'rebuild'>;
  readonly authenticateOperator: AuthenticateOperator;
};

@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: a module of the framework is a class
export class ProjectionsModule {
  static with({ projections, authenticateOperator }: ProjectionsParts): DynamicModule {
    return {
      module: ProjectionsModule,
      controllers: [ProjectionsController],
      providers: [
        { provide: PROJECTIONS, useValue: projections },
        { provide: AUTHENTICATE_OPERATOR, useValue: authenticateOperator },
      ],
    };
  }
}
