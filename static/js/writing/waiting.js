// Words that stand in the box of the edit mode and are not put in yet: they outlive the page, and
// whoever goes on elsewhere has put them in. Escape lets them go.

import { announce, say } from "../label/api.js";
import { stored, units } from "../label/offsets.js";
import { original } from "./edits.js";

export class Waiting {
  // keep({at, start, end, words, correct} or null) after each change.
  constructor(marker, keep) {
    Object.assign(this, { marker, keep, held: null });
  }

  set(held) {
    if (held === this.held) return;
    this.held = held;
    this.keep(held);
  }

  note(words) {
    const { chosen, active, places, map } = this.marker;
    const { start, end } = chosen ? stored(map, chosen) : places[active];
    this.set({ at: chosen ? -1 : active, start, end, words, correct: map.raw });
  }

  // An edge of what is chosen was moved.
  moved() {
    if (this.held) this.note(this.held.words);
  }

  // Puts them in; false where they clash with another change: then the box stays open.
  settle() {
    const { held, marker } = this;
    if (!held) return true;
    const { at, start, end, words } = held;
    const quote = original(marker.map.raw, held);
    const old = at < 0 ? quote : marker.places[at].hallucinated;
    if (words && words !== old && words !== quote) {
      if (!marker.free({ start, end }, at)) return false;
      marker.act.put(at, { start, end }, words);
      announce(say("replaced", { quote, words }));
    }
    this.set(null);
    marker.reset();
    return true;
  }

  // Puts them in before the place of that number is at hand: answers its number then, -1 where not.
  before(number) {
    const { start, end } = this.marker.places[number];
    return this.settle() ? this.marker.places.findIndex((one) => one.start === start && one.end === end) : -1;
  }

  // What a page before this one left in the box.
  resume(held) {
    const { marker } = this;
    const known = marker.places[held.at];
    const same = known && known.start === held.start && known.end === held.end;
    this.held = same ? held : { ...held, at: -1 };
    Object.assign(marker, same ? { active: held.at } : { chosen: units(marker.map, held) });
    marker.draw();
    marker.showBox();
    marker.box.words.set(held.words);
  }
}
