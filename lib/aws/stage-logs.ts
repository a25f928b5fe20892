import {
  CloudWatchLogsClient,
  DescribeLogGroupsCommand,
  FilterLogEventsCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { awsClientOptions } from './client-options.ts';

/** A line of a function's log in CloudWatch. */
export interface LogEvent {
  /** CloudWatch's id of the line, the same if the line is read twice. */
  readonly id: string;
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly functionName: string;
  readonly line: string;
}

/** The lines to read. */
export interface LogQuestion {
  /** Epoch milliseconds; lines from this time on. */
  readonly sinceMs: number;
  /** A filter pattern of CloudWatch Logs. */
  readonly pattern?: string | undefined;
}

/** Reads the logs of a stage's functions, for operators. */
export function openStageLogs(client = new CloudWatchLogsClient(awsClientOptions({}, 10_000))) {
  return {
    /** Finds the log groups by their prefix, which comes from the names of the stacks. */
    findGroups: async (stage: string): Promise<string[]> => {
      const groups: string[] = [];
      let nextToken: string | undefined;
      do {
        const page = await client.send(
          new DescribeLogGroupsCommand({ logGroupNamePrefix: `herald-${stage}-`, nextToken }),
        );
        groups.push(...(page.logGroups ?? []).flatMap(({ logGroupName }) => logGroupName ?? []));
        nextToken = page.nextToken;
      } while (nextToken !== undefined);
      return groups;
    },

    /** Reads the lines of one group, at most `limit`. */
    read: async (group: string, { sinceMs, pattern }: LogQuestion, limit: number): Promise<LogEvent[]> => {
      const events: LogEvent[] = [];
      let nextToken: string | undefined;
      do {
        const page = await client.send(
          new FilterLogEventsCommand({
            logGroupName: group,
            startTime: sinceMs,
            ...(pattern !== undefined && { filterPattern: pattern }),
            limit: Math.min(10_000, limit),
            nextToken,
          }),
        );
        const functionName = functionOf(group);
        for (const { eventId = '', timestamp = 0, message = '' } of page.events ?? [])
          events.push({ id: eventId, atMs: timestamp, functionName, line: message.trimEnd() });
        nextToken = page.nextToken;
      } while (nextToken !== undefined && events.length < limit);
      return events.slice(0, limit);
    },
  };
}

/**
 * Returns the function of a log group: `publishtarget` for `herald-dev-workers-publishtargetlog1A2B3C4D-xyz`, because
 * CloudFormation leaves out hyphens. Pure.
 */
export function functionOf(group: string): string {
  return /^herald-[a-z0-9]+-[a-z]+-([A-Za-z]+?)(?:log|Log)?[0-9A-F]{8}/.exec(group)?.[1] ?? group;
}
