import type { Exchange } from '../../kit/recording/exchange.ts';
import { descriptionOf } from './descriptions.ts';
import { createValidation, type Problems, type Validate } from './validate.ts';

/**
 * The sender of the requests: `adapter` sends only valid ones; a `test` of a simulator also sends requests that the simulator
 * must refuse.
 */
export type Caller = 'adapter' | 'test';

/** Validates everything that passes between a caller and a simulator. */
export interface Watch {
  /** The listener to pass to the simulator. */
  readonly onExchange: (exchange: Exchange) => void;
  /** Returns the mismatches with the platform's description since the last call of `take` or `check`. */
  take(): readonly string[];
  /**
   * Checks that `take` would return nothing.
   *
   * @throws Error that names the mismatches
   */
  check(): void;
}

const validations = new Map<string, Validate | undefined>();

/** Watches a simulator. Nothing is validated for a platform without a machine-readable description. */
export function watchExchanges(platform: string, caller: Caller): Watch {
  let problems: string[] = [];
  const take = () => {
    const taken = [...new Set(problems)];
    problems = [];
    return taken;
  };
  return {
    onExchange(exchange) {
      const { request, response } = validated(platform, exchange);
      const status = exchange.answer?.status;
      const isAccepted = status !== undefined && status < 400 && exchange.fault === undefined;
      problems.push(...(caller === 'adapter' || isAccepted ? request : []), ...response);
    },
    take,
    check() {
      const found = take();
      if (found.length > 0) {
        throw new Error(`The platform's own description does not allow this:\n  ${found.join('\n  ')}`);
      }
    },
  };
}

/** Validates an exchange. An error of the validation itself must not change the simulator's answer. */
function validated(platform: string, exchange: Exchange): Problems {
  try {
    return validationOf(platform)?.(exchange) ?? { request: [], response: [] };
  } catch (error) {
    return { request: [], response: [`${exchange.operation} cannot be validated: ${error}`] };
  }
}

function validationOf(platform: string): Validate | undefined {
  if (!validations.has(platform)) {
    const description = descriptionOf(platform);
    validations.set(platform, description && createValidation(description));
  }
  return validations.get(platform);
}
