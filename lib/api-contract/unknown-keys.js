import { nearestName } from '../kernel/nearest-name.ts';
/**
 * Lists the keys of a value, at any depth, that its schema does not have: zod drops them when it parses. A key whose value
 * is null counts as absent. A union counts as the alternative that knows the most keys.
 */
export function unknownKeys(schema, value) {
    return strayKeys(schema, value).map(({ path, owner }) => {
        const nearest = nearestName(String(path.at(-1)), namesOf(owner));
        return { path, ...(nearest !== undefined && { nearest }) };
    });
}
/** The names of the fields of an object's schema. */
export const namesOf = (owner) => Object.keys(owner._zod.def.shape);
/** The keys of {@link unknownKeys}, with the schemas that do not have them. */
export function strayKeys(schema, value) {
    const { def } = schema._zod;
    switch (def.type) {
        case 'lazy':
            // Not `def.getter()`, which builds the schema again with each call.
            return strayKeys(schema._zod.innerType, value);
        case 'pipe':
            return strayKeys(def.in, value);
        case 'optional':
        case 'nullable':
        case 'default':
        case 'prefault':
        case 'readonly':
            return strayKeys(def.innerType, value);
        case 'union':
            return fewest(def.options.filter((option) => takes(option, value)).map((option) => strayKeys(option, value)));
        case 'array':
            if (!Array.isArray(value))
                return [];
            return value.flatMap((item, index) => below(index, strayKeys(def.element, item)));
        case 'record':
            return entriesOf(value).flatMap(([key, entry]) => below(key, strayKeys(def.valueType, entry)));
        case 'object':
            return entriesOf(value).flatMap(([key, entry]) => {
                const property = Object.hasOwn(def.shape, key) ? def.shape[key] : def.catchall;
                if (property)
                    return below(key, strayKeys(property, entry));
                return [{ path: [key], owner: schema }];
            });
        default:
            return [];
    }
}
/** Whether a schema is for this kind of value: a list, another object or neither. */
function takes(schema, value) {
    const { type } = schema._zod.def;
    return (type === 'array') === Array.isArray(value);
}
const fewest = (candidates) => candidates.reduce((best, keys) => (best !== undefined && best.length <= keys.length ? best : keys), undefined) ?? [];
const below = (step, keys) => keys.map((key) => ({ ...key, path: [step, ...key.path] }));
function entriesOf(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
        return [];
    return Object.entries(value).filter(([, entry]) => entry !== null && entry !== undefined);
}
