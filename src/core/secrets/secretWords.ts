// Whether a name and a value, as a person wrote them, are those of a secret. Unlike what is hidden from logs, a warning
// that is wrong teaches people to overlook it: so names that only sound like one, and values that cannot be one, do not
// count. Pure.
import { isSensitiveName } from '../../base/sensitive.ts';

export function namesSecret(name: string): boolean {
  return isSensitiveName(name) && !aboutSecrets.test(name) && !soundsAlike.test(name);
}

export function looksSecret(value: string): boolean {
  const text = value.trim();
  return (
    text.length >= 4 && !placeholder.test(text) && !plainValue.test(text) && !path.test(text) && !plainUrl.test(text)
  );
}

/** `TOKEN_FILE`, `KEY_ID`, `PASSWORD_LENGTH`: something about a secret, not the secret. */
const aboutSecrets =
  /(?:^|[-_.\s]|(?<=[a-z])(?=[A-Z]))(?:path|file|dir|directory|folder|ur[il]|host|port|name|user|id|ids|count|limit|max|min|size|length|ttl|timeout|enabled|disabled|required|type|algorithm|format|prefix|suffix|version|store|provider|endpoint|env|mode|required|expiry|expires)$/i;
const soundsAlike =
  /tokeni[sz]|max[-_]?tokens|keyboard|keymap|keyspace|keyframe|keyword|monkey|turkey|hockey|compass|bypass|passive|passenger|passthrough/i;
/** `<your token>`, `YOUR_API_KEY`, `xxxx`, `...`, `$TOKEN`, `%TOKEN%` */
const placeholder =
  /^<.*>$|^\$|^%.*%$|^(?:your|my|some|the|insert|replace|change|enter|example|dummy|todo|placeholder)(?:[-_\s]|$)|^(?:x+|\*+|\.+|-+)$/i;
const plainValue =
  /^(?:true|false|yes|no|on|off|none|null|undefined|enabled|disabled|default|auto|required|optional|-?\d{1,6}(?:\.\d+)?)$/i;
const path = /^(?:~|\.{1,2})?[\\/](?:[\w. @-]+[\\/])*[\w. @-]*$|^[A-Za-z]:[\\/]/;
const plainUrl = /^[a-z][a-z0-9+.-]*:\/\/[^\s@]*$/i;
