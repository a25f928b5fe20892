import type { Exchange } from '../../kit/recording/exchange.ts';
import { descriptionOf } from './descriptions.ts';
import { createValidation, type Problems, type Validate } from './validate.ts';

/** Who sends the requests: `adapter` sends only valid ones; a `test` of a simulator also sends what the simulator must refuse. */
export type Caller = 'adapter' | 'test';

/** Validates everything that passes between a caller and a simulator. */
export interface Watch {
  /** To be passed to the simulator. */
  readonly onExchange: (exchange: Exchange) => void;
  /** What did not match the platform's description, since the last call of `take` or `check`. */
  take(): readonly string[];
  /** @throws Error that names what `take` returns, if there is any */
  check(): void;
}

const validations = new Map<string, Validate | undefined>();

/** Watches a simulator. Nothing is validated of a platform that publishes no machine-readable description. */
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

/** An error of the validation itself must not change what the simulator answers. */
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
