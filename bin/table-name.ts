import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { HeraldError } from '../lib/kernel/errors.ts';
import { type Retention, readRetention } from '../lib/table/retention.ts';

/**
 * Reads the name of a stage's table, which every stage publishes as a parameter.
 *
 * @throws HeraldError `not_found` if the stage is not deployed in this account and region
 */
export async function tableName(stage: string): Promise<string> {
  const name = `/herald/${stage}/table-name`;
  const value = await readParameter(name);
  if (!value)
    throw new HeraldError(
      'not_found',
      `stage ${stage} is not deployed in this account and region: no parameter ${name}`,
    );
  return value;
}

/** Reads the retention of a stage's records from its parameter, which stages of earlier releases lack. */
export async function stageRetention(stage: string): Promise<Retention> {
  return readRetention(JSON.parse((await readParameter(`/herald/${stage}/retention-days`)) ?? '{}'));
}

async function readParameter(name: string): Promise<string | undefined> {
  const { Parameter } = await new SSMClient().send(new GetParameterCommand({ Name: name })).catch((error) => {
    if (error?.name === 'ParameterNotFound') return { Parameter: undefined };
    throw error;
  });
  return Parameter?.Value;
}
