import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { readStackOutput, readStackStatuses, readStackTemplate } from '../../../lib/aws/stage-stacks.ts';

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
  it('is read with its outputs', async () => {
    cloudFormation.on(DescribeStacksCommand, { StackName: 'herald-dev-api' }).resolves({ Stacks: [stack] });
    expect(await read('ApiUrl')).toBe('https://api.example.com');
    expect(await read('PanelUrl')).toBeUndefined();
  });

  it('that does not exist has none', async () => {
    const missing = Object.assign(new Error('Stack with id herald-dev-api does not exist'), {
      name: 'ValidationError',
    });
    cloudFormation.on(DescribeStacksCommand).rejects(missing);
    expect(await read('ApiUrl')).toBeUndefined();
  });

  it('that may not be read is an error', async () => {
    cloudFormation
      .on(DescribeStacksCommand)
      .rejects(Object.assign(new Error('no'), { name: 'AccessDenied' }));
    await expect(read('ApiUrl')).rejects.toThrow('no');
  });

  it('that has another problem is an error, too', async () => {
    const other = Object.assign(new Error('1 validation error detected'), { name: 'ValidationError' });
    cloudFormation.on(DescribeStacksCommand).rejects(other);
    await expect(read('ApiUrl')).rejects.toThrow('1 validation error');
  });
});

describe('the stacks of a stage', () => {
  it('are found by their names, on all pages', async () => {
    const other = { ...stack, StackName: 'billing-api' };
    const rolledBack = {
      ...stack,
      StackName: 'herald-dev-api-posts',
      StackStatus: 'UPDATE_ROLLBACK_COMPLETE' as const,
    };
    cloudFormation
      .on(DescribeStacksCommand)
      .resolves({ Stacks: [other, stack], NextToken: 'more' })
      .on(DescribeStacksCommand, { NextToken: 'more' })
      .resolves({ Stacks: [rolledBack] });
    expect([...(await readStackStatuses('herald-dev-', undefined, client))]).toEqual([
      ['herald-dev-api', 'UPDATE_COMPLETE'],
      ['herald-dev-api-posts', 'UPDATE_ROLLBACK_COMPLETE'],
    ]);
  });
});

describe('the template of a stack', () => {
  const read = () => readStackTemplate('herald-dev-api', undefined, client);

  it('is read as it was deployed', async () => {
    cloudFormation
      .on(GetTemplateCommand, { StackName: 'herald-dev-api', TemplateStage: 'Original' })
      .resolves({ TemplateBody: '{}' });
    expect(await read()).toBe('{}');
  });

  it('does not exist before the first deployment', async () => {
    const missing = Object.assign(new Error('Stack with id herald-dev-api does not exist'), {
      name: 'ValidationError',
    });
    cloudFormation.on(GetTemplateCommand).rejects(missing);
    expect(await read()).toBeUndefined();
  });
});
