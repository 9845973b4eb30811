import { matchesGlob } from 'node:path';

/** A room: its name, its folders or files, and the other rooms it may import. */
export type Room = { name: string; paths: string[]; mayImport: string[] };

/** Files that may never import what matches these patterns, whatever their room allows. */
export type Ban = { files: string; never: string[] };

/** `lines` is the table's length. */
export type Arrows = { rooms: Room[]; bans: Ban[]; lines: number };

/**
 * Reads the table of `docs/architecture.md`. A line is a room (`name: paths -> rooms`), several similar rooms, or a ban
 * (`files never patterns`). In paths and patterns `*` matches part of a name, `**` any folders, `{a,b}` one of several.
 */
export function readArrows(page: string): Arrows {
  const [, table] = /```arrows\n(.*?)```/s.exec(page) ?? [];
  if (table === undefined) throw new Error('docs/architecture.md has no table of arrows');
  const rooms: Room[] = [];
  const bans: Ban[] = [];
  const lines = table.split('\n').filter((each) => each.trim() !== '');
  for (const line of lines) {
    const room = /^(\S+): (.+?) ->(.*)$/.exec(line);
    const ban = /^(\S+) never (.+)$/.exec(line);
    if (room) rooms.push(...readRooms(room[1] ?? '', words(room[2]), words(room[3])));
    else if (ban) bans.push({ files: ban[1] ?? '', never: words(ban[2]) });
    else throw new Error(`not a line of the table of arrows: ${line}`);
  }
  requireKnownRooms(rooms);
  return { rooms, bans, lines: lines.length };
}

/** `shelf/{a,b}: src/{}` declares two rooms; `{}` is the part in which their paths differ. */
function readRooms(name: string, paths: string[], mayImport: string[]): Room[] {
  const [, before, alternatives, after] = /^(.*)\{(.+)\}(.*)$/.exec(name) ?? [];
  if (alternatives === undefined) return [{ name, paths, mayImport }];
  return alternatives.split(',').map((each) => ({
    name: `${before}${each}${after}`,
    paths: paths.map((path) => path.replace('{}', each)),
    mayImport,
  }));
}

const words = (text = '') => text.trim().split(/\s+/).filter(Boolean);

function requireKnownRooms(rooms: Room[]): void {
  const names = rooms.map((room) => room.name);
  for (const { name, mayImport } of rooms) {
    const unknown = mayImport.find((each) => !names.some((known) => matchesGlob(known, each)));
    if (unknown) throw new Error(`${name} may import ${unknown}, which is no room of the table`);
  }
}
