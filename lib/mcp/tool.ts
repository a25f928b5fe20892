import type * as z from 'zod';
import type { Actor } from '../access/actor.ts';
import { reasonAgainst } from '../access/may.ts';
import type { Operation } from '../api-contract/operation.ts';
import type { OperationRequest, ReplyOf } from '../api-contract/operation-request.ts';
import type { Platform } from '../platforms/contract/names.ts';

/** A platform's rules in short, for an agent that writes a post. */
export interface PlatformGuide {
  readonly accepts: string;
  /** The JSON Schema of a destination's options. */
  readonly options: Readonly<Record<string, unknown>>;
}

export type PlatformGuides = Readonly<Record<Platform, PlatformGuide>>;

/** The means of a tool: everything that it does goes through operations of the API. */
export interface ToolPorts {
  /** Performs an operation for the caller, with all checks of a request to its route. */
  readonly call: <Op extends Operation>(op: Op, request: OperationRequest) => Promise<ReplyOf<Op>>;
  /**
   * Asks the person who uses the agent, if the client can. Returns once the person agrees, and at once if the client cannot ask.
   *
   * @throws Error that ends the call: the question has to be answered first, or the answer was no
   */
  readonly confirm: (question: Question) => Promise<void>;
  readonly guides: PlatformGuides;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A question to the person who uses the agent. */
export interface Question {
  /**
   * Checks that the action would succeed, and returns the question; `undefined` if there is nothing to ask. Not called if the person
   * has agreed already.
   */
  readonly prepare: () => Promise<string | undefined>;
}

/** Hints for the client about the effects of a tool. */
export interface Effects {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  /** True if a call with the same arguments changes nothing more. */
  readonly idempotentHint: boolean;
  /** True if it reaches systems other than Herald. */
  readonly openWorldHint: boolean;
}

export interface Tool<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** Verb and noun. Prompts and settings of clients name it, so it never changes. */
  readonly name: string;
  readonly title: string;
  /** Instructions for the agent. */
  readonly description: string;
  readonly effects: Effects;
  readonly input: Input;
  /** The part of the reply that an agent needs. */
  readonly output: Output;
  /** The operations that it may call. A caller who may not call all of them does not see the tool. */
  readonly operations: readonly Operation[];
  /** Returns the name that the tool has for a field of its operations. Absent: the same one. */
  readonly fieldName?: (field: string) => string;
  run(ports: ToolPorts, input: z.output<Input>): Promise<z.input<Output>>;
}

/** Keeps the exact types of a tool's schemas while it is declared. */
export function tool<Input extends z.ZodType, Output extends z.ZodType>(
  declaration: Tool<Input, Output>,
): Tool<Input, Output> {
  return declaration;
}

export const reads = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const satisfies Effects;

/** True if the caller may use the tool. */
export const maySee = (actor: Actor, { operations }: Pick<Tool, 'operations'>): boolean =>
  operations.every(({ verb }) => verb !== undefined && reasonAgainst(actor, verb) === undefined);
