#!/bin/sh
# Installs this version of Coffer, upgrades to it, or goes back to it: the same command in each case (docs/install.md).
# It changes no key, password or setting that exists, so it may be repeated.
set -eu
umask 022
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
here=$(cd "$(dirname "$0")" && pwd -P)
home=/opt/coffer
etc=/etc/coffer
USAGE='Usage: ./install.sh DOMAIN [--currency USD] [--database HOST:PORT], for the first installation
       ./install.sh, for an upgrade'

say() { printf '%s\n' "$*"; }
fail() {
  printf '%s\n' "$@" >&2
  exit 1
}

domain='' currency=USD database=''
while [ $# -gt 0 ]; do
  case $1 in
    --currency | --database)
      [ $# -gt 1 ] || fail "$1 needs a value." "$USAGE"
      [ "$1" = --currency ] && currency=$2 || database=$2
      shift
      ;;
    -h | --help) say "$USAGE" && exit ;;
    -*) fail "Unknown option $1." "$USAGE" ;;
    *) domain=$1 ;;
  esac
  shift
done

[ "$(id -u)" = 0 ] || fail 'install.sh needs root. Run it with sudo.'
[ -d /run/systemd/system ] || fail 'This machine does not run systemd. Use the container image instead (docs/containers.md).'
for program in curl openssl; do
  command -v "$program" >/dev/null || fail "$program is not installed. Run: apt-get install $program"
done
version=$("$here/bin/coffer" --version) ||
  fail 'The Node in this archive does not run here. It needs Linux on x64 with glibc 2.28 or newer, such as Debian 12.'
old=$(basename "$(readlink "$home/current" || true)")
order=$(printf '%s\n%s\n' "$old" "$version" | sed 's/-/~/' | sort -V | head -n 1 | sed 's/~/-/')

# The ports of the instances that systemd knows.
list_ports() {
  systemctl list-units --all --plain --no-legend 'coffer@*.service' | sed -n 's/^coffer@\([0-9]*\)\.service.*/\1/p'
}
is_ready() { curl --silent --fail --max-time 5 --output /dev/null "http://127.0.0.1:$1/readyz"; }

# Two at the same time would restart all processes together.
exec 9>/run/coffer-install.lock
flock --nonblock 9 || fail 'Another install.sh is running. Wait until it ends.'

check_first_installation() {
  if [ -e "$etc/coffer.env" ]; then # The previous attempt did not get further.
    database=$(sed -n 's|^DATABASE_URL=.*@\([^/]*\)/.*|\1|p' "$etc/coffer.env")
    return
  fi
  case $domain in
    '' | *[!a-z0-9.-]* | [.-]* | *[.-]) fail "Name the domain of the service, such as wallet.example." "$USAGE" ;;
  esac
  [ "$database" != '' ] || database=127.0.0.1:$(runuser -u postgres -- psql -XAtc 'show port' 2>/dev/null) ||
    fail 'PostgreSQL does not run on this machine.' \
      'Install it (apt-get install postgresql), or name its server: ./install.sh DOMAIN --database db.internal:5432'
}

check_upgrade() {
  [ "$here" = "$home/$version" ] || [ "$order" = "$old" ] ||
    fail "This archive is version $version, and the newer version $old is installed. Nothing was changed." \
      "To go back, run $home/$version/install.sh. If that folder does not exist, move this one there: mv $here $home/$version"
  [ "$version" = "$old" ] || [ "$order" = "$version" ] || for port in $(list_ports); do
    is_ready "$port" ||
      fail "coffer@$port is not ready, so the upgrade did not start. Nothing was changed." \
        "See why with journalctl --unit coffer@$port, and start it with systemctl start coffer@$port"
  done
}

# A new folder, which gets its name when it is complete.
copy_files() {
  [ "$here" != "$home/$version" ] || return 0
  if [ -e "$home/$version" ]; then
    diff --recursive --brief --no-dereference "$here" "$home/$version" >/dev/null ||
      fail "$home/$version exists and is not this archive. Nothing was changed." \
        "If no process uses it, remove it and try again: rm -r $home/$version"
    return 0
  fi
  needed=$(($(du -sk "$here" | cut -f 1) + 200000))
  free=$(df -Pk /opt | awk 'NR == 2 { print $4 }')
  [ "$free" -gt "$needed" ] ||
    fail "/opt has $((free / 1000)) MB left, and the installation needs $((needed / 1000)) MB. Nothing was changed." \
      "Free some space: versions that you no longer need are in $home."
  install -d -m 755 "$home"
  rm -rf "$home/.incoming"
  cp -R "$here" "$home/.incoming"
  chown -R root:root "$home/.incoming"
  chmod -R u=rwX,go=rX "$home/.incoming"
  mv "$home/.incoming" "$home/$version"
}

# Writes standard input to a new file; one that exists stays as it is.
write_new() { # FILE OWNER
  [ -e "$1" ] && cat >/dev/null && return
  (umask 077 && cat >"$1.new")
  chown "$2" "$1.new"
  mv "$1.new" "$1"
}

write_settings() {
  getent passwd coffer >/dev/null || useradd --system --no-create-home --shell /usr/sbin/nologin coffer
  install -d -m 755 "$etc"
  for pair in owner:root login:coffer; do
    echo "$database:*:coffer_${pair%:*}:$(openssl rand -hex 24)" | write_new "$etc/${pair%:*}.pgpass" "${pair#*:}"
  done
  # The keys go through standard input, because other users can read the arguments of a command.
  sed -f - "$home/$version/deploy/systemd/coffer.env" <<SED | write_new "$etc/coffer.env" root
s|NEW_PEPPER|$(openssl rand -base64 32)|
s|NEW_ADMIN_KEY|$(openssl rand -base64 32)|
s|127\.0\.0\.1:5432|$database|
s|wallet\.example|$domain|g
s|=USD|=$currency|
SED
}

password() { cut -d : -f 5 "$etc/$1.pgpass"; }
write_roles() {
  cat <<SQL
set password_encryption = 'scram-sha-256';
select 'create role ' || role from unnest('{coffer_service,coffer_owner,coffer_login}'::text[]) as role
where to_regrole(role) is null \\gexec
alter role coffer_owner login password '$(password owner)';
alter role coffer_login login password '$(password login)';
grant coffer_service to coffer_login;
grant pg_read_all_stats to coffer_owner;
select 'create database coffer owner coffer_owner template template0 encoding ''UTF8'' locale ''C.UTF-8'''
where not exists (select from pg_database where datname = 'coffer') \\gexec
SQL
}

create_database() {
  if [ "${database%:*}" = 127.0.0.1 ]; then
    write_roles | runuser -u postgres -- psql -Xq --set=ON_ERROR_STOP=1 >/dev/null ||
      fail 'The roles and the database could not be created; see the message above. Fix the problem, then run install.sh again.'
  elif [ ! -e "$etc/roles.sql" ]; then
    write_roles | write_new "$etc/roles.sql" root
    fail "$etc/roles.sql creates the roles and the database. Run it with psql as a superuser of the PostgreSQL server," \
      'then run install.sh again. Delete the file afterwards: it contains passwords.'
  fi
}

check_settings() {
  systemd-run --quiet --wait --pipe --collect --uid=coffer --property="EnvironmentFile=$etc/coffer.env" --setenv=METRICS_PORT=18081 \
    "$home/$version/bin/coffer" serve --check ||
    fail "Version $version cannot run with $etc/coffer.env and its database; see the message above." \
      'The service was not changed. Correct the settings, and run install.sh again.'
}

migrate() {
  owner=$(sed -n "s|^DATABASE_URL=[\"']*postgres[a-z]*://[^@]*@\([^\"']*\).*|postgres://coffer_owner@\1|p" "$etc/coffer.env")
  DATABASE_URL=$owner PGPASSFILE=$etc/owner.pgpass "$home/$version/bin/coffer" migrate ||
    fail 'The schema was not migrated; see the message above. The service was not changed. Fix the problem, then run install.sh again.'
}

install_units() {
  install -m 644 "$home/$version"/deploy/systemd/*.service "$home/$version"/deploy/systemd/*.timer /etc/systemd/system/
  systemctl daemon-reload
  ln -sfn "$home/$version" "$home/current.new"
  mv -T "$home/current.new" "$home/current"
  ln -sf "$home/current/bin/coffer" /usr/local/bin/coffer
}

start_first() {
  systemctl enable --quiet --now coffer@8081 coffer@8082
  for port in 8081 8082; do
    for _ in $(seq 60); do is_ready "$port" && continue 2 || sleep 1; done
    journalctl --unit "coffer@$port" --lines 20 --no-pager >&2
    fail "coffer@$port did not become ready within a minute. Its last messages are above. Fix the problem, then run install.sh again."
  done
}

cd / # The user postgres cannot read the folder of root.
if [ "$old" = '' ]; then check_first_installation; else check_upgrade; fi
copy_files
write_settings
if [ "$old" = '' ]; then create_database; else check_settings; fi
say "Migrating the database to version $version"
migrate
install_units
if [ "$(list_ports)" = '' ]; then
  start_first
else
  "$home/current/bin/coffer" restart || {
    [ "$old" = "$version" ] || say "To go back to version $old, run $home/$old/install.sh" >&2
    exit 1
  }
fi
say "Coffer $version runs on the ports" $(list_ports)
