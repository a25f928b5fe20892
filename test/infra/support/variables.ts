/** Readers of the templates of several variants of the service. */
import type { Templates } from './synthesize.ts';

/** The stacks that come close to CloudFormation's limit of 500 resources, with their numbers of resources. */
export const nearlyFull = ({ stacks }: Templates) =>
  Object.entries(stacks).flatMap(([name, { length }]) => (length < 350 ? [] : [`${name}: ${length}`]));

/** The limits of the functions that count requests: per address, per key and per workspace. */
export const limitsIn = (found: Templates) =>
  new Set(
    found
      .ofType('AWS::Lambda::Function')
      .map(({ Properties }) => Properties.Environment.Variables)
      .filter((variables) => variables.RATE_LIMIT_PER_MINUTE !== undefined)
      .map((variables) =>
        ['', 'KEY_', 'WORKSPACE_'].map((of) => variables[`${of}RATE_LIMIT_PER_MINUTE`]).join(' '),
      ),
  );

/** The features of the functions that need them, as JSON. */
export const featuresIn = (found: Templates) =>
  found
    .ofType('AWS::Lambda::Function')
    .flatMap(({ Properties }) => Properties.Environment.Variables.PLATFORM_FEATURES ?? []);

/** The values that functions have for an environment variable, as JSON, each once. */
export const variables = (service: Pick<Templates, 'ofType'>, name: string): unknown[] => [
  ...new Set(
    service
      .ofType('AWS::Lambda::Function')
      .flatMap(({ Properties }) => Properties.Environment.Variables[name] ?? [])
      .map((value: unknown) => JSON.stringify(value)),
  ),
];
