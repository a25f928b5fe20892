/**
 * Counts how often the functions were invoked by one chain of events, as Lambda does to stop endless loops. The count travels
 * in the field `Lineage` of the trace header: functions' SDKs send it on, queues keep it with the message. AWS documents the
 * field's purpose, not its content. https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 *
 * Tables, schedules and buckets end a chain here. In AWS, buckets pass it on.
 */
import { createHash } from 'node:crypto';

/** Lambda stops the next invocation after about this many of the same function. */
export const mostInvocations = 16;

/** Returns the number of times that the chain of events behind a trace header has invoked a function. */
export function invocationsIn(traceHeader: string, functionArn: string): number {
  return countsOf(traceHeader).get(nameOf(functionArn)) ?? 0;
}

/** Returns the trace header with one more invocation of the function. */
export function withInvocation(traceHeader: string, functionArn: string): string {
  const counts = countsOf(traceHeader);
  counts.set(nameOf(functionArn), invocationsIn(traceHeader, functionArn) + 1);
  const lineage = [...counts].map(([name, count]) => `${name}:${count}`).join('|');
  return [...otherFields(traceHeader), `Lineage=${lineage}`].join(';');
}

function countsOf(traceHeader: string): Map<string, number> {
  const [, lineage = ''] = /(?:^|;)Lineage=([^;]*)/.exec(traceHeader) ?? [];
  return new Map(
    lineage.split('|').flatMap((entry) => {
      const [, name, count] = /^([0-9a-f]+):(\d+)$/.exec(entry) ?? [];
      return name === undefined ? [] : [[name, Number(count)] as const];
    }),
  );
}

const otherFields = (traceHeader: string): readonly string[] =>
  traceHeader.split(';').filter((field) => field !== '' && !field.startsWith('Lineage='));

const nameOf = (functionArn: string): string =>
  createHash('sha256').update(functionArn).digest('hex').slice(0, 8);
