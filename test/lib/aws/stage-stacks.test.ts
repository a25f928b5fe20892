import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { readStackOutput, readStackStatus } from '../../../lib/aws/stage-stacks.ts';

const client = new CloudFormationClient({ region: 'us-east-1' });
const cloudFormation = mockClient(client);
beforeEach(() => {
  cloudFormation.reset();
});

const stack = {
  StackName: 'herald-dev-api',
  CreationTime: new Date(0),
  StackStatus: 'UPDATE_COMPLETE' as const,
  Outputs: [{ OutputKey: 'ApiUrl', OutputValue: 'https://api.example.com' }],
};
const read = (output: string) => readStackOutput('herald-dev-api', output, client);

describe('a stack of a stage', () => {
  it('is read with its status and its outputs', async () => {
    cloudFormation.on(DescribeStacksCommand, { StackName: 'herald-dev-api' }).resolves({ Stacks: [stack] });
    expect(await readStackStatus('herald-dev-api', client)).toBe('UPDATE_COMPLETE');
    expect(await read('ApiUrl')).toBe('https://api.example.com');
    expect(await read('PanelUrl')).toBeUndefined();
  });

  it('that does not exist has neither', async () => {
    const missing = Object.assign(new Error('Stack with id herald-dev-api does not exist'), {
      name: 'ValidationError',
    });
    cloudFormation.on(DescribeStacksCommand).rejects(missing);
    expect(await readStackStatus('herald-dev-api', client)).toBeUndefined();
    expect(await read('ApiUrl')).toBeUndefined();
  });

  it('that may not be read is an error', async () => {
    cloudFormation
      .on(DescribeStacksCommand)
      .rejects(Object.assign(new Error('no'), { name: 'AccessDenied' }));
    await expect(read('ApiUrl')).rejects.toThrow('no');
  });
});
