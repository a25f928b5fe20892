/** An id that a message names, such as `postId` with its value. */
export interface NamedId {
  readonly name: string;
  readonly value: string;
}

/** Names of fields that hold ids, numbers or kinds, in our own messages and in events of S3, DynamoDB and Scheduler. */
const idName =
  /(^|[a-z])(id|Id|ID)$|^(pk|sk|key|kind|platform|wakeNumber|eventName|eventSource|shardId|startSequenceNumber|endSequenceNumber)$/;

/** Free text, a URL or a token does not look like this. */
const idValue = /^[\w#:./@-]{1,200}$/;

/** Deep enough for an event of S3 or DynamoDB. */
const deepest = 8;

/**
 * The ids that the body of a message names, each once. Everything else is left out: a body may hold what people wrote, and
 * an unknown field may hold a secret. Pure.
 *
 * @param body JSON text, or an item of the table; any other text names nothing
 * @param maxDepth how many levels of objects are read; 1 reads only the fields of the body itself
 */
export function idsIn(body: unknown, maxDepth = deepest): NamedId[] {
  const found = new Map<string, NamedId>();
  const read = typeof body === 'string' ? parsed(body) : body;
  collect(read, maxDepth, (name, value) => found.set(`${name} ${value}`, { name, value }));
  return [...found.values()];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Visit = (name: string, value: string) => void;

function collect(value: unknown, depthLeft: number, visit: Visit): void {
  if (typeof value !== 'object' || value === null || depthLeft === 0) return;
  for (const [name, each] of Object.entries(value)) {
    const plain = unwrapped(each);
    const isPlain = typeof plain === 'string' || typeof plain === 'number';
    if (!isPlain) collect(each, depthLeft - 1, visit);
    else if (idName.test(name) && isId(name, String(plain))) visit(name, String(plain));
  }
}

/** The stream writes `{"S":"text"}`. */
function unwrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const [[type, inner] = [], ...others] = Object.entries(value);
  return others.length === 0 && (type === 'S' || type === 'N') ? inner : value;
}

const isId = (name: string, value: string): boolean =>
  idValue.test(value) && !secretName.test(name) && !secretValue.test(value);

/** Whoever has one of these may do something with it. */
const secretName = /session|token|secret|cursor|accessKey/i;

/** Our own API keys and signing secrets, wherever somebody has put them by mistake. */
const secretValue = /yay_|whsec_/;
