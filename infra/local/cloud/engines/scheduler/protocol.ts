/** EventBridge Scheduler's REST protocol: routes and shapes. */

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AwsError, accessDenied } from '../errors.ts';
import { invalidInput, parseJsonObject } from '../json-protocol.ts';
import type { BufferedService, ServiceReply, ServiceRequest } from '../service.ts';
import * as inputs from './inputs.ts';
import { createOperations, type SchedulerDependencies } from './operations.ts';

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
