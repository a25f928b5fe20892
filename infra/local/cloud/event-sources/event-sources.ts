/** Starts the invokers of functions that need no request: event source mappings and rules. */
import type { Engines } from '../engines/types.ts';
import { decide } from '../identity/policy-decision.ts';
import type { CloudModel, EventSourceResource, FunctionResource } from '../model.ts';
import { startQueueSource } from './queue-source.ts';
import { startRule } from './rules.ts';
import type { EventSource, SourceSurroundings } from './source.ts';
import { startStreamSource } from './stream-source.ts';

/**
 * Starts the model's event source mappings and rules. If a function's role lacks a right that polling needs, its mapping is not
 * started and a line is logged: AWS would refuse to create such a mapping.
 *
 * @param concurrency the maximum number of concurrent events of a function.
 */
export function startEventSources(
  model: CloudModel,
  surroundings: SourceSurroundings,
  streamReader: Engines['streamReader'],
  concurrency: (resource: FunctionResource) => number,
): EventSource {
  const mappings = model.eventSources.flatMap((mapping) => {
    const resource = model.functions.find(({ arn }) => arn === mapping.functionArn);
    if (resource === undefined) return [];
    const missing = missingRight(mapping, resource, model);
    if (missing !== undefined) {
      surroundings.log(
        `${resource.name} gets no events from ${mapping.sourceArn}: its role lacks ${missing}`,
      );
      return [];
    }
    if (mapping.stream === undefined) return startQueueSource(mapping, concurrency(resource), surroundings);
    const reader = streamReader(mapping.sourceArn, mapping.functionArn);
    return startStreamSource(mapping, mapping.stream, reader, surroundings);
  });
  const sources = [...mappings, ...model.rules.map((rule) => startRule(rule, surroundings))];
  return {
    async stop() {
      await Promise.all(sources.map((source) => source.stop()));
    },
  };
}

const pollingRights = {
  queue: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
  stream: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
} as const;

/** Returns the first right that the function's role lacks, as text; undefined if it has all of them. */
function missingRight(
  mapping: EventSourceResource,
  { roleArn }: FunctionResource,
  { roles }: CloudModel,
): string | undefined {
  const policies = roles.find(({ arn }) => arn === roleArn)?.policies ?? [];
  const caller = { principal: { kind: 'identity', arn: roleArn }, policies } as const;
  const actions = mapping.stream === undefined ? pollingRights.queue : pollingRights.stream;
  const onFailureArn = mapping.stream?.onFailureArn;
  const needed = [
    ...actions.map((action) => ({ action, resource: mapping.sourceArn })),
    ...(onFailureArn === undefined ? [] : [{ action: 'sqs:SendMessage', resource: onFailureArn }]),
  ];
  const missing = needed.find((request) => !decide(caller, request).allowed);
  return missing && `${missing.action} on ${missing.resource}`;
}
