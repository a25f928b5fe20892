import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { HeraldError } from '../lib/kernel/errors.ts';

/**
 * Reads the name of a stage's table, which every stage publishes as a parameter.
 *
 * @throws HeraldError `not_found` if the stage is not deployed in this account and region
 */
export async function tableName(stage: string): Promise<string> {
  const name = `/herald/${stage}/table-name`;
  const { Parameter } = await new SSMClient().send(new GetParameterCommand({ Name: name })).catch((error) => {
    if (error?.name === 'ParameterNotFound') return { Parameter: undefined };
    throw error;
  });
  if (!Parameter?.Value)
    throw new HeraldError(
      'not_found',
      `stage ${stage} is not deployed in this account and region: no parameter ${name}`,
    );
  return Parameter.Value;
}
