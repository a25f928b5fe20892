/** An id that a message names, such as `postId` with its value. */
export interface NamedId {
  readonly name: string;
  readonly value: string;
}

/**
 * A pattern for names of fields that hold ids, numbers or kinds, in our own messages and in events of S3, DynamoDB and Scheduler.
 */
const idName =
  /(^|[a-z])(id|Id|ID)$|^(pk|sk|key|kind|platform|wakeNumber|eventName|eventSource|shardId|startSequenceNumber|endSequenceNumber)$/;

/** A pattern for values of ids. Free text, a URL or a token does not match it. */
const idValue = /^[\w#:./@-]{1,200}$/;

/** The default depth, enough for an event of S3 or DynamoDB. */
const deepest = 8;

/**
 * Returns the ids that the body of a message names, each once. Everything else is left out: a body may hold text that people
 * wrote, and an unknown field may hold a secret. Pure.
 *
 * @param body JSON text, or an item of the table; any other text names nothing
 * @param maxDepth the number of levels of objects to read; 1 reads only the fields of the body itself
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

/** Returns the text in `{"S":"text"}`, the form that the stream writes. */
function unwrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const [[type, inner] = [], ...others] = Object.entries(value);
  return others.length === 0 && (type === 'S' || type === 'N') ? inner : value;
}

const isId = (name: string, value: string): boolean =>
  idValue.test(value) && !secretName.test(name) && !secretValue.test(value);

/** A pattern for names of fields that give somebody access to something. */
const secretName = /session|token|secret|cursor|accessKey/i;

/** A pattern for our own API keys and signing secrets, in case somebody has put them there by mistake. */
const secretValue = /yay_|whsec_/;
