import { invalidField } from './errors.ts';
/** DynamoDB nests documents at most 32 levels deep. No real request comes near that. */
const maxNesting = 32;
/** The largest real request has about 10,000 values. Each value costs time before the schema can reject the request. */
const maxValues = 100000;
/**
 * Parses a request's JSON and rejects what Herald could not store or send on unchanged: text that contains NUL or is not
 * well-formed Unicode, numbers that JavaScript cannot represent exactly, too deep nesting and too many values.
 *
 * @throws HeraldError `invalid`, naming the field by its path
 */
export function parseJson(text) {
    let value;
    try {
        value = JSON.parse(text);
    }
    catch {
        throw invalidField('body', 'must be valid JSON', 'body_malformed');
    }
    requireStorable(value);
    return value;
}
/** The same text for values that differ only in the order of their keys. */
export function canonicalJson(value) {
    if (Array.isArray(value))
        return `[${value.map(canonicalJson).join(',')}]`;
    if (typeof value !== 'object' || value === null)
        return JSON.stringify(value);
    const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`).join(',')}}`;
}
function requireStorable(root) {
    const open = [{ value: root, path: '', depth: 0 }];
    let values = 1;
    for (let next = open.pop(); next; next = open.pop()) {
        const { value, path, depth } = next;
        if (typeof value === 'string')
            requireStorableText(value, path);
        if (typeof value === 'number')
            requireExactNumber(value, path);
        if (typeof value !== 'object' || value === null)
            continue;
        if (depth === maxNesting)
            throw invalidField(path || 'body', `must not be nested more than ${maxNesting} levels deep`, 'body_malformed');
        values += Array.isArray(value) ? value.length : Object.keys(value).length;
        if (values > maxValues)
            throw invalidField('body', `must not contain more than ${maxValues} values`, 'body_malformed');
        if (Array.isArray(value)) {
            for (const [index, item] of value.entries()) {
                open.push({ value: item, path: `${path}[${index}]`, depth: depth + 1 });
            }
            continue;
        }
        for (const [key, item] of Object.entries(value)) {
            const itemPath = path ? `${path}.${key}` : key;
            requireStorableText(key, path || 'body');
            open.push({ value: item, path: itemPath, depth: depth + 1 });
        }
    }
}
function requireStorableText(text, path) {
    if (!text.isWellFormed())
        throw invalidField(path || 'body', 'must not contain half of a surrogate pair', 'field_format');
    if (text.includes('\u0000'))
        throw invalidField(path || 'body', 'must not contain the character U+0000', 'field_format');
}
function requireExactNumber(value, path) {
    const exact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
    if (!exact)
        throw invalidField(path || 'body', 'number too large to represent exactly; send it as a string', 'field_out_of_range');
}
