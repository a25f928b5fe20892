/**
 * Reads a variable that the function was deployed with.
 *
 * @param otherwise what stands in for a variable that may be missing
 * @throws Error if the variable is missing and nothing stands in for it
 */
export type Environment = (name: string, otherwise?: string) => string;

/** Makes one dependency from the environment. It is named for what it gives, so that `{ table, vault }` needs no more words. */
export type Wire<T> = (environment: Environment) => T;

export type Wires = Readonly<Record<string, Wire<unknown>>>;

/** What the wires give, by their names. Tests give doubles of it. */
export type Wired<W extends Wires> = { readonly [Name in keyof W]: ReturnType<W[Name]> };

/** Makes a function's handler from its dependencies. It carries the wires that a deployed function takes them from. */
export interface HandlerFactory<W extends Wires, Handler> {
  (dependencies: Wired<W>): Handler;
  readonly wires: W;
}

/** Says which dependencies a handler is made from, and how. Nothing is read or opened before it is made. */
export function handlerFactory<W extends Wires, Handler>(
  wires: W,
  create: (dependencies: Wired<W>) => Handler,
): HandlerFactory<W, Handler> {
  return Object.assign((dependencies: Wired<W>) => create(dependencies), { wires });
}

/**
 * Makes the handler of a deployed function: once, when its container starts. The bundles call it (see `infra/bundling.ts`).
 *
 * @throws Error if a variable is missing: a mistake of the deployment, found before the first request
 */
export function start<W extends Wires, Handler>(build: HandlerFactory<W, Handler>): Handler {
  const environment = environmentOf(process.env);
  const dependencies = Object.entries(build.wires).map(([name, wire]) => [name, wire(environment)]);
  return build(Object.fromEntries(dependencies));
}

/** The variables as the wires read them. */
export function environmentOf(variables: Readonly<Record<string, string | undefined>>): Environment {
  return (name, otherwise) => {
    const value = variables[name] ?? otherwise;
    if (value === undefined) throw new Error(`environment variable ${name} is not set`);
    return value;
  };
}
