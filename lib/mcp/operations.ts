import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';
import { mcpPath } from './challenge.ts';
import { tools } from './tools.ts';

export const mcpOperation = operation({
  id: 'callMcp',
  handler: 'mcp',
  method: 'POST',
  path: mcpPath,
  summary: 'Speak the Model Context Protocol',
  description: 'The server for agents. A request is one message of JSON-RPC; no session is kept.',
  access: 'agent',
  memoryMegabytes: 1_024,
  replies: {
    200: { description: 'The answer', body: z.unknown() },
    202: { description: 'A notification was accepted' },
  },
  calls: [...new Set(tools.flatMap(({ operations }) => operations))],
  settings: ['PUBLIC_BASE_URL'],
});
