import { apiFunctions } from './functions/api.ts';
import type { ApiFunction } from './functions/definition.ts';
import type { Stage } from './stages.ts';

/** A stack of a stage. */
interface StackName {
  readonly name: string;
  /** Absent if it is in the stage's own Region. */
  readonly region?: string;
}

/** Returns the name of a stack. @param part such as `data` */
export const stackName = ({ name }: Pick<Stage, 'name'>, part: string): string => `herald-${name}-${part}`;

/** Returns the stacks of a stage, for commands that look at what is deployed without synthesizing it. */
export function stacksOf(stage: Stage, api: readonly ApiFunction[] = apiFunctions): StackName[] {
  const groups = new Set(api.flatMap(({ group }) => group ?? []));
  const parts = ['data', 'api', ...[...groups].map((group) => `api-${group}`), 'workers', 'panel'];
  return [
    ...parts.map((part) => ({ name: stackName(stage, part) })),
    ...(stage.backupRegion === undefined
      ? []
      : [{ name: stackName(stage, 'backup'), region: stage.backupRegion }]),
  ];
}
