import { hash } from 'node:crypto';

/**
 * Divides parts among members, equally many to each: the slowest worker decides how long a minute takes. A part goes to
 * the member with the highest weight that has room; when a member leaves, little besides its own parts moves.
 *
 * @param members at least one; in any order, all processes that know the same ones divide alike
 * @returns the owner of each part
 */
export function ownersOf(parts: number, members: ReadonlySet<string>): string[] {
  const few = Math.floor(parts / members.size);
  let more = parts - few * members.size;
  const counts = new Map(Array.from(members, (member) => [member, 0]));
  const hasRoom = (member: string): boolean => {
    const count = counts.get(member)!;
    return count < few || (count === few && more > 0);
  };
  return Array.from({ length: parts }, (_, part) => {
    // A checksum would not do: its highest value over the members falls on one of three for half of all parts.
    const weightOf = (member: string): string => hash('sha1', `${part} ${member}`);
    const [owner] = Array.from(members, (member) => ({ member, weight: weightOf(member) }))
      .sort((one, other) => (one.weight > other.weight ? -1 : 1))
      .filter(({ member }) => hasRoom(member));
    const count = counts.get(owner!.member)!;
    if (count === few) more--;
    counts.set(owner!.member, count + 1);
    return owner!.member;
  });
}
