/** EventBridge Scheduler: its REST protocol, its operations and the rights that they require. */

import { randomUUID } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import type { Caller } from '../../identity/policy-decision.ts';
import { AwsError, accessDenied, requireAccess } from '../errors.ts';
import { invalidInput, parseJsonObject } from '../json-protocol.ts';
import type { BufferedService, ServiceReply, ServiceRequest } from '../service.ts';
import type { Firing } from './firing.ts';
import type { ListQuery, ScheduleDefinition } from './inputs.ts';
import * as inputs from './inputs.ts';
import type { Schedule, ScheduleStore } from './schedule-store.ts';
import { arnOf, type Targets } from './target.ts';

interface SchedulerDependencies {
  readonly region: string;
  readonly accountId: string;
  readonly groupNames: readonly string[];
  readonly store: ScheduleStore;
  readonly targets: Targets;
  readonly firing: Firing;
  readonly clock: Clock;
  /** Chooses the lateness of a schedule in milliseconds, if it may be up to `windowMs` late. */
  readonly latenessMs: (windowMs: number) => number;
}

export function createSchedulerService(dependencies: SchedulerDependencies): BufferedService {
  const operations = createOperations(dependencies);
  return {
    maximumBodyBytes: 1_048_576,
    errorReply(error) {
      const code = error.code === accessDenied ? 'AccessDeniedException' : error.code;
      return reply(error.httpStatus, { Message: error.message }, { 'x-amzn-errortype': code });
    },
    async handle(request) {
      try {
        return reply(200, route(operations, request));
      } catch (error) {
        throw error instanceof z.ZodError ? invalidInput('ValidationException', error) : error;
      }
    },
  };
}

function route(operations: ReturnType<typeof createOperations>, request: ServiceRequest): unknown {
  const { method, caller, query } = request;
  const [, name] = /^\/schedules(?:\/([^/]*))?$/.exec(request.path) ?? [];
  if (request.path === '/schedules' && method === 'GET') {
    return operations.list(caller, inputs.listQuery.parse(Object.fromEntries(query)));
  }
  if (name !== undefined) {
    const scheduleName = inputs.name.parse(name);
    const groupName = inputs.name.parse(query.get('groupName') ?? 'default');
    switch (method) {
      case 'POST':
        return operations.create(
          caller,
          scheduleName,
          inputs.definition.parse(parseJsonObject(request.body)),
        );
      case 'PUT':
        return operations.update(
          caller,
          scheduleName,
          inputs.definition.parse(parseJsonObject(request.body)),
        );
      case 'GET':
        return operations.get(caller, scheduleName, groupName);
      case 'DELETE':
        return operations.delete(caller, scheduleName, groupName);
    }
  }
  throw new AwsError(
    'UnknownOperationException',
    `The local cloud does not implement ${method} ${request.path}.`,
    404,
  );
}

function reply(httpStatus: number, body: unknown, headers: Record<string, string> = {}): ServiceReply {
  const own = { 'content-type': 'application/json', 'x-amzn-requestid': randomUUID() };
  return { httpStatus, headers: { ...own, ...headers }, body: JSON.stringify(body) };
}

/**
 * A schedule fires within a minute of its time, not on the second.
 * https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html
 */
const precisionMs = 60_000;

function createOperations(dependencies: SchedulerDependencies) {
  const { region, accountId, store, targets, firing, clock } = dependencies;
  const groups = new Set(['default', ...dependencies.groupNames]);

  function allow(caller: Caller, action: string, groupName: string, name: string): void {
    requireAccess(caller, {
      action: `scheduler:${action}`,
      resource: arnOf({ groupName, name }, region, accountId),
    });
  }

  function existing(groupName: string, name: string): Schedule {
    const schedule = store.get(groupName, name);
    if (!schedule) throw new AwsError('ResourceNotFoundException', `Schedule ${name} does not exist.`, 404);
    return schedule;
  }

  /** Checks the rights and the role, and computes the time. Shared by create and update. */
  function plan(caller: Caller, action: string, name: string, definition: ScheduleDefinition): Schedule {
    allow(caller, action, definition.GroupName, name);
    requireAccess(caller, {
      action: 'iam:PassRole',
      resource: definition.Target.RoleArn,
      context: { 'iam:PassedToService': 'scheduler.amazonaws.com' },
    });
    if (!groups.has(definition.GroupName)) {
      throw new AwsError(
        'ResourceNotFoundException',
        `Schedule group ${definition.GroupName} does not exist.`,
        404,
      );
    }
    targets.checkRole(definition.Target.RoleArn, definition.GroupName);
    const nowMs = clock.now();
    const scheduledAtMs = timeOf(definition.ScheduleExpression, definition.ScheduleExpressionTimezone);
    // Reports differ on how AWS handles a past time. The local cloud refuses it, which is stricter.
    if (scheduledAtMs < nowMs) {
      throw new AwsError('ValidationException', 'The schedule expression must be in the future.');
    }
    const window = definition.FlexibleTimeWindow;
    const windowMs = window.Mode === 'OFF' ? precisionMs : window.MaximumWindowInMinutes * 60_000;
    const invokeAtMs = scheduledAtMs + dependencies.latenessMs(windowMs);
    return {
      groupName: definition.GroupName,
      name,
      definition,
      createdAtMs: nowMs,
      modifiedAtMs: nowMs,
      scheduledAtMs,
      nextAttemptAtMs: definition.State === 'ENABLED' ? invokeAtMs : undefined,
      failedAttempts: 0,
    };
  }

  function save(schedule: Schedule) {
    store.put(schedule);
    firing.rearm();
    return { ScheduleArn: arnOf(schedule, region, accountId) };
  }

  return {
    create(caller: Caller, name: string, definition: ScheduleDefinition) {
      const schedule = plan(caller, 'CreateSchedule', name, definition);
      const present = store.get(schedule.groupName, name);
      if (present === undefined) return save(schedule);
      const token = definition.ClientToken;
      if (token === undefined || token !== present.definition.ClientToken) {
        throw new AwsError('ConflictException', `Schedule ${name} already exists.`, 409);
      }
      return { ScheduleArn: arnOf(present, region, accountId) };
    },
    update(caller: Caller, name: string, definition: ScheduleDefinition) {
      const schedule = plan(caller, 'UpdateSchedule', name, definition);
      const { createdAtMs } = existing(schedule.groupName, name);
      return save({ ...schedule, createdAtMs });
    },
    get(caller: Caller, name: string, groupName: string) {
      allow(caller, 'GetSchedule', groupName, name);
      const schedule = existing(groupName, name);
      const { ClientToken: _, ...definition } = schedule.definition;
      return {
        ...definition,
        Name: name,
        Arn: arnOf(schedule, region, accountId),
        CreationDate: schedule.createdAtMs / 1000,
        LastModificationDate: schedule.modifiedAtMs / 1000,
      };
    },
    delete(caller: Caller, name: string, groupName: string) {
      allow(caller, 'DeleteSchedule', groupName, name);
      existing(groupName, name);
      store.delete(groupName, name);
      firing.rearm();
      return {};
    },
    list(caller: Caller, query: ListQuery) {
      requireAccess(caller, { action: 'scheduler:ListSchedules', resource: '*' });
      const matching = store
        .list(query.NextToken === undefined ? { groupName: '', name: '' } : readToken(query.NextToken))
        .filter(({ groupName }) => query.ScheduleGroup === undefined || groupName === query.ScheduleGroup)
        .filter(({ name }) => name.startsWith(query.NamePrefix ?? ''))
        .filter(({ definition }) => query.State === undefined || definition.State === query.State);
      const page = matching.slice(0, query.MaxResults);
      const last = page.at(-1);
      return {
        Schedules: page.map((schedule) => summary(schedule, arnOf(schedule, region, accountId))),
        ...(last && matching.length > page.length && { NextToken: writeToken(last) }),
      };
    },
  };
}

function summary(schedule: Schedule, arn: string) {
  return {
    Arn: arn,
    GroupName: schedule.groupName,
    Name: schedule.name,
    State: schedule.definition.State,
    CreationDate: schedule.createdAtMs / 1000,
    LastModificationDate: schedule.modifiedAtMs / 1000,
    Target: { Arn: schedule.definition.Target.Arn },
  };
}

function writeToken({ groupName, name }: Schedule): string {
  return Buffer.from(`${groupName}/${name}`).toString('base64url');
}

function readToken(token: string): { groupName: string; name: string } {
  const [groupName, name, ...rest] = Buffer.from(token, 'base64url').toString('utf8').split('/');
  if (groupName === undefined || name === undefined || rest.length > 0) {
    throw new AwsError('ValidationException', 'Invalid NextToken.');
  }
  return { groupName, name };
}

/**
 * Returns the time of a one-time schedule, in epoch milliseconds.
 *
 * @param expression `at(yyyy-mm-ddThh:mm:ss)`, without zone or fraction.
 * @param timeZone the IANA name of the expression's time zone.
 * @throws AwsError `ValidationException`, also for `rate()` and `cron()`, which the local cloud does not run.
 */
function timeOf(expression: string, timeZone: string): number {
  const [, local] = /^at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)$/.exec(expression) ?? [];
  if (local === undefined) {
    throw new AwsError('ValidationException', `Invalid Schedule Expression ${expression}.`);
  }
  try {
    return Temporal.PlainDateTime.from(local, { overflow: 'reject' }).toZonedDateTime(timeZone)
      .epochMilliseconds;
  } catch {
    const cause = isTimeZone(timeZone)
      ? `Invalid Schedule Expression ${expression}.`
      : 'Provided ScheduleExpressionTimezone is not valid.';
    throw new AwsError('ValidationException', cause);
  }
}

function isTimeZone(name: string): boolean {
  try {
    Temporal.Now.instant().toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}
